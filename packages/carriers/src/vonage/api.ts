import { type CarrierAccess, type Clock, systemRandom } from '@va/core/adapter';
import type { CallCommands } from '../shared/call/call-commands.ts';
import { CarrierError } from '../shared/web/carrier-error.ts';
import { carrierRequest } from '../shared/web/carrier-request.ts';
import { type JsonFields, textOf } from '../shared/web/fields.ts';
import { apiToken } from './jwt.ts';
import { dial } from './ncco.ts';

/** The calls of one application in Vonage's API. @see https://developer.vonage.com/en/api/voice */
export class VonageApi implements CallCommands {
  readonly #access: CarrierAccess<'vonage'>;
  readonly #clock: Clock;
  readonly #baseUrl: string;

  /** @param baseUrl replaces the URL of Vonage's API, such as by that of a region */
  constructor(access: CarrierAccess<'vonage'>, clock: Clock, baseUrl: string | undefined) {
    this.#access = access;
    this.#clock = clock;
    this.#baseUrl = (baseUrl ?? 'https://api.nexmo.com').replace(/\/$/, '');
  }

  /**
   * Places a call and returns its UUID.
   * @throws CarrierError for a refused request; otherwise the error of `fetch`
   */
  async create(fields: JsonFields): Promise<string> {
    const callId = textOf((await this.#request('POST', 'calls', fields)).uuid);
    if (callId === null) throw new CarrierError(502, null, 'Vonage returned a call without a UUID.');
    return callId;
  }

  async hangUp(callId: string): Promise<void> {
    await this.#request('PUT', `calls/${encodeURIComponent(callId)}`, { action: 'hangup' });
  }

  async transfer(callId: string, to: string, callerNumber: string): Promise<null> {
    const destination = { type: 'ncco', ncco: dial(to, callerNumber) };
    await this.#request('PUT', `calls/${encodeURIComponent(callId)}`, { action: 'transfer', destination });
    return null;
  }

  /** Sends digits, `*` and `#`. `p` is a pause of 500 ms. */
  press(callId: string, keys: string): Promise<void> | null {
    const digits = keys.replaceAll('W', 'pp').replaceAll('w', 'p');
    if (!/^[0-9*#p]+$/.test(digits)) return null;
    return this.#request('PUT', `calls/${encodeURIComponent(callId)}/dtmf`, { digits }).then(() => {});
  }

  async #request(method: 'POST' | 'PUT', path: string, body: JsonFields): Promise<JsonFields> {
    const { account, credentials } = this.#access;
    const token = apiToken({
      applicationId: account.application_id,
      privateKey: credentials.private_key,
      id: Buffer.from(systemRandom(16)).toString('hex'),
      wallMs: this.#clock.wallMs(),
    });
    return await carrierRequest({
      carrier: 'Vonage',
      method,
      url: `${this.#baseUrl}/v1/${path}`,
      authorization: `Bearer ${token}`,
      body,
      refusal: ({ type, title, detail, error_title: error }) => ({ code: type, text: detail ?? error ?? title }),
    });
  }
}
