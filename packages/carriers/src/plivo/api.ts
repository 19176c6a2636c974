import type { CarrierAccess } from '@va/core/adapter';
import type { CallCommands } from '../shared/call/call-commands.ts';
import { CarrierError } from '../shared/web/carrier-error.ts';
import { carrierRequest } from '../shared/web/carrier-request.ts';
import { type JsonFields, textOf } from '../shared/web/fields.ts';
import { dial } from './plivo-xml.ts';

export interface PlivoApiOptions {
  readonly access: CarrierAccess<'plivo'>;
  /** Replaces the URL of Plivo's API. */
  readonly baseUrl: string | undefined;
  /** Publishes an XML document for Plivo to fetch, and returns its URL. */
  readonly publish: (document: string) => string;
}

/** The calls of one account in Plivo's API. @see https://docs.plivo.com/docs/voice/api/call */
export class PlivoApi implements CallCommands {
  readonly #options: PlivoApiOptions;
  readonly #baseUrl: string;

  constructor(options: PlivoApiOptions) {
    this.#options = options;
    this.#baseUrl = (options.baseUrl ?? 'https://api.plivo.com').replace(/\/$/, '');
  }

  /**
   * Places a call and returns the UUID of the request.
   * @throws CarrierError for a refused request; otherwise the error of `fetch`
   */
  async create(fields: JsonFields): Promise<string> {
    const answer = await this.#request('POST', 'Call/', fields);
    const requestId = textOf(answer.request_uuid);
    if (requestId === null) throw new CarrierError(502, null, 'Plivo returned a call without a request_uuid.');
    return requestId;
  }

  /** Cancels by the UUID of the request, because a ringing call has no id of its own. */
  async hangUp(callId: string): Promise<void> {
    const id = encodeURIComponent(callId);
    try {
      await this.#request('DELETE', `Call/${id}/`);
    } catch (thrown) {
      if (!(thrown instanceof CarrierError) || thrown.status !== 404) throw thrown;
      await this.#request('DELETE', `Request/${id}/`);
    }
  }

  async transfer(callId: string, destination: string, callerNumber: string): Promise<null> {
    const url = this.#options.publish(dial(destination, callerNumber));
    const fields = { legs: 'aleg', aleg_url: url, aleg_method: 'POST' };
    await this.#request('POST', `Call/${encodeURIComponent(callId)}/`, fields);
    return null;
  }

  async #request(method: 'POST' | 'DELETE', path: string, body?: JsonFields): Promise<JsonFields> {
    const { account, credentials } = this.#options.access;
    const { auth_id: authId } = account;
    return await carrierRequest({
      carrier: 'Plivo',
      method,
      url: `${this.#baseUrl}/v1/Account/${authId}/${path}`,
      authorization: `Basic ${Buffer.from(`${authId}:${credentials.auth_token}`).toString('base64')}`,
      ...(body !== undefined && { body }),
      refusal: ({ error }) => ({ code: null, text: error }),
    });
  }
}
