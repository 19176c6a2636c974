import { type CarrierAccess, type Clock, toError } from '@va/core/adapter';
import type { CallCommands } from '../shared/call/call-commands.ts';
import { CarrierError } from '../shared/web/carrier-error.ts';
import { carrierRequest, firstOf } from '../shared/web/carrier-request.ts';
import { fieldsOf, type JsonFields, textOf } from '../shared/web/fields.ts';
import type { Bridges } from './bridges.ts';

/** Telnyx error code for a command to an ended call. */
const isOverCode = '90018';
/** Ring timeout of a transfer in seconds. */
const transferRingSeconds = 30;

export interface TelnyxApiOptions {
  readonly access: CarrierAccess<'telnyx'>;
  /** Replaces the URL of Telnyx's API. */
  readonly baseUrl: string | undefined;
  readonly bridges: Bridges;
  readonly clock: Clock;
}

/** The calls of one account in Telnyx's API. @see https://developers.telnyx.com/api/call-control/dial-call */
export class TelnyxApi implements CallCommands {
  readonly outlivesStream = true;
  readonly #access: CarrierAccess<'telnyx'>;
  readonly #baseUrl: string;
  readonly #bridges: Bridges;
  readonly #clock: Clock;

  constructor({ access, baseUrl, bridges, clock }: TelnyxApiOptions) {
    this.#access = access;
    this.#bridges = bridges;
    this.#clock = clock;
    this.#baseUrl = (baseUrl ?? 'https://api.telnyx.com').replace(/\/$/, '');
  }

  /**
   * Places a call and returns its `call_control_id`. A request without a response is repeated once; its `command_id`
   * prevents a second call.
   * @throws CarrierError for a refused request; otherwise the error of `fetch`
   */
  async create(fields: JsonFields & { readonly command_id: string }): Promise<string> {
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

  async answer(callId: string, fields: JsonFields): Promise<void> {
    await this.#command(callId, 'answer', fields);
  }

  async reject(callId: string, cause: 'CALL_REJECTED' | 'USER_BUSY'): Promise<void> {
    await this.#command(callId, 'reject', { cause });
  }

  async hangUp(callId: string): Promise<void> {
    await this.#command(callId, 'hangup', {});
  }

  /** Waits until the destination answers. The caller stays connected to the agent until then. */
  async transfer(callId: string, to: string, from: string, signal: AbortSignal): Promise<string | null> {
    const bridge = this.#bridges.expect(callId, this.#access, this.#clock);
    const abort = (): void => bridge.giveUp('The transfer was given up.');
    signal.addEventListener('abort', abort, { once: true });
    try {
      const state = { target_leg_client_state: bridge.clientState };
      await this.#command(callId, 'transfer', { to, from, timeout_secs: transferRingSeconds, ...state });
      const refusal = await bridge.outcome;
      // Prevents that a late answer takes over the call, which continues with the agent.
      if (refusal !== null && bridge.otherLeg !== null) await this.hangUp(bridge.otherLeg).catch(() => {});
      return refusal;
    } finally {
      signal.removeEventListener('abort', abort);
      bridge.giveUp('The transfer was refused.');
    }
  }

  async press(callId: string, digits: string, toneMs: number): Promise<void> {
    const durationMs = Math.min(500, Math.max(100, toneMs));
    await this.#command(callId, 'send_dtmf', { digits, duration_millis: durationMs });
  }

  async #command(callId: string, action: string, fields: JsonFields): Promise<void> {
    await this.#post(`calls/${encodeURIComponent(callId)}/actions/${action}`, fields);
  }

  async #post(path: string, body: JsonFields): Promise<JsonFields> {
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
