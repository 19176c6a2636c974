import { type CarrierAccess, toError } from '@va/core/adapter';
import type { CallCommands } from '../shared/call/call-commands.ts';
import { CarrierError } from '../shared/web/carrier-error.ts';
import { carrierRequest, firstOf } from '../shared/web/carrier-request.ts';
import { type Fields, fieldsOf, textOf } from '../shared/web/fields.ts';

/** Code of Telnyx's errors for a command to a call that is over. */
const isOverCode = '90018';

/** The calls of one account in Telnyx's API. @see https://developers.telnyx.com/api/call-control/dial-call */
export class TelnyxApi implements CallCommands {
  /** A call goes on without its stream. */
  readonly outlivesStream = true;
  readonly #access: CarrierAccess<'telnyx'>;
  readonly #baseUrl: string;

  /** @param baseUrl replaces Telnyx's address */
  constructor(access: CarrierAccess<'telnyx'>, baseUrl: string | undefined) {
    this.#access = access;
    this.#baseUrl = (baseUrl ?? 'https://api.telnyx.com').replace(/\/$/, '');
  }

  /**
   * Places a call and returns its `call_control_id`. A request whose answer was lost is repeated once: its `command_id`
   * keeps Telnyx from placing a second call.
   * @throws CarrierError, or an error of the connection
   */
  async create(fields: Fields & { readonly command_id: string }): Promise<string> {
    const body = { connection_id: this.#access.account.connection_id, ...fields };
    const { data } = await this.#post('calls', body).catch((thrown: unknown) => {
      const error = toError(thrown);
      if (error instanceof CarrierError && error.status < 500) throw error;
      return this.#post('calls', body);
    });
    const callId = textOf(fieldsOf(data).call_control_id);
    if (callId === null) throw new CarrierError(502, null, 'Telnyx returned a call without a call_control_id.');
    return callId;
  }

  async answer(callId: string, fields: Fields): Promise<void> {
    await this.#command(callId, 'answer', fields);
  }

  async reject(callId: string, cause: 'CALL_REJECTED' | 'USER_BUSY'): Promise<void> {
    await this.#command(callId, 'reject', { cause });
  }

  async hangUp(callId: string): Promise<void> {
    await this.#command(callId, 'hangup', {});
  }

  async transfer(callId: string, to: string, from: string): Promise<void> {
    await this.#command(callId, 'transfer', { to, from });
  }

  async press(callId: string, digits: string, toneMs: number): Promise<void> {
    const durationMs = Math.min(500, Math.max(100, toneMs));
    await this.#command(callId, 'send_dtmf', { digits, duration_millis: durationMs });
  }

  async #command(callId: string, action: string, fields: Fields): Promise<void> {
    await this.#post(`calls/${encodeURIComponent(callId)}/actions/${action}`, fields);
  }

  async #post(path: string, body: Fields): Promise<Fields> {
    try {
      return await carrierRequest({
        carrier: 'Telnyx',
        method: 'POST',
        url: `${this.#baseUrl}/v2/${path}`,
        authorization: `Bearer ${this.#access.credentials.api_key}`,
        body,
        refusal({ errors }) {
          const { code, title, detail } = firstOf(errors);
          return { code, text: detail ?? title };
        },
      });
    } catch (thrown) {
      if (!(thrown instanceof CarrierError) || thrown.vendorCode !== isOverCode) throw thrown;
      throw new CarrierError(404, isOverCode, thrown.message);
    }
  }
}
