import {
  type CarrierAccess,
  type CarrierDialRequest,
  type DialFailure,
  type TelephonyHost,
  toError,
} from '@va/core/adapter';
import { type LegEncoding, legAudio } from '@va/media';
import type { CarrierIncomingCall } from '../shared/call/incoming-call.ts';
import { ringSeconds } from '../shared/call/outgoing-call.ts';
import { partyOf } from '../shared/call/party.ts';
import { CarrierTelephony } from '../shared/carrier-telephony.ts';
import { fieldsOf, type JsonFields, parsed, textOf } from '../shared/web/fields.ts';
import { RecentIds } from '../shared/web/recent-ids.ts';
import { TelnyxApi } from './api.ts';
import { Bridges } from './bridges.ts';
import { refusalOf, reportOf } from './failures.ts';
import type { TelnyxOptions } from './options.ts';
import { isSigned, type SignedWebhook } from './signature.ts';
import { readStart } from './stream.ts';

/** Time within which an agent must accept a call while the caller hears ringing. */
const decisionMs = 30_000;

interface Event {
  readonly type: string;
  readonly payload: JsonFields;
  readonly signed: SignedWebhook;
}

interface Received {
  readonly call: CarrierIncomingCall;
  readonly access: CarrierAccess<'telnyx'>;
}

/** Telephony over Telnyx's webhooks, API and media streams. */
export class TelnyxTelephony extends CarrierTelephony<'telnyx'> {
  /** Live inbound calls by `call_control_id`. */
  readonly #received = new Map<string, Received>();
  /** `call_control_id`s of announced calls, because Telnyx repeats webhooks whose response it missed. */
  readonly #announced = new RecentIds();
  readonly #bridges = new Bridges();

  constructor(options: TelnyxOptions) {
    super(options, { type: 'telnyx', name: 'Telnyx', tokenIn: 'path', readStart });
  }

  protected async serve(host: TelephonyHost, request: Request, path: string): Promise<Response> {
    if (request.method !== 'POST') return new Response(null, { status: 405, headers: { allow: 'POST' } });
    const event = await readEvent(request);
    const bridged = this.#bridge(host, event);
    if (bridged !== null) return bridged;
    if (path === '/voice') return await this.#event(host, event);
    const key = /^\/status\/([0-9a-f]{32})$/.exec(path)?.[1];
    return key === undefined ? new Response(null, { status: 404 }) : this.#status(host, key, event);
  }

  protected commandsOf(access: CarrierAccess<'telnyx'>): TelnyxApi {
    return new TelnyxApi({ access, baseUrl: this.options.apiUrl, bridges: this.#bridges, clock: this.clock });
  }

  protected refusalOf(error: Error): DialFailure {
    return refusalOf(error);
  }

  protected async place(
    { callId, destination, callerNumber }: CarrierDialRequest,
    access: CarrierAccess<'telnyx'>,
    { token, key }: { readonly token: string; readonly key: string },
  ): Promise<string> {
    return await this.commandsOf(access).create({
      to: destination,
      from: callerNumber,
      command_id: callId,
      timeout_secs: ringSeconds,
      webhook_url: `${this.publicUrl}/status/${key}`,
      webhook_url_method: 'POST',
      ...this.#stream(token, access),
    });
  }

  /**
   * Passes an event to a running transfer. Returns the response for an event of the destination's leg, or for one
   * without a valid signature; null for any other event, which the caller must handle.
   */
  #bridge(host: TelephonyHost, { type, payload, signed }: Event): Response | null {
    const bridge = this.#bridges.of(payload);
    if (bridge === null) return null;
    if (!isSigned(signed, bridge.access.account.public_key, host.clock.wallMs())) return refused();
    bridge.receive(type, payload);
    return bridge.isOfOther(payload) ? done() : null;
  }

  /** Handles an event of the application: a new inbound call, or an event of one. */
  async #event(host: TelephonyHost, event: Event): Promise<Response> {
    const callId = textOf(event.payload.call_control_id);
    if (callId === null) return done();
    const received = this.#received.get(callId);
    if (received !== undefined) {
      if (!isSigned(event.signed, received.access.account.public_key, host.clock.wallMs())) return refused();
      if (event.type === 'call.hangup') received.call.endedByCarrier();
      return done();
    }
    const isNew = event.type === 'call.initiated' && event.payload.direction === 'incoming';
    return isNew ? await this.#incoming(host, callId, event) : done();
  }

  async #incoming(host: TelephonyHost, callId: string, { payload, signed }: Event): Promise<Response> {
    const account = textOf(payload.connection_id) ?? '';
    const line = await this.lineOf(host, {
      dialed: textOf(payload.to) ?? '',
      account,
      isAccount: (each) => 'connection_id' in each && each.connection_id === account,
      isSigned: (access) => isSigned(signed, access.account.public_key, host.clock.wallMs()),
    });
    if (line === null) return refused();
    if (!this.#announced.add(callId)) return done();
    const api = this.commandsOf(line.access);
    const call = this.announce(host, {
      callId,
      line,
      decisionMs,
      from: partyOf(textOf(payload.from), textOf(payload.caller_id_name)),
      to: { ...partyOf(textOf(payload.to)), number: line.number.number },
      accept: (token) => api.answer(callId, this.#stream(token, line.access)),
      refuse: (cause) => {
        const isBusy = cause === 'busy' || cause === 'overloaded';
        api.reject(callId, isBusy ? 'USER_BUSY' : 'CALL_REJECTED').catch((thrown: unknown) => {
          host.logger.warn({ call: callId, err: toError(thrown) }, 'failed to reject a call of Telnyx');
        });
      },
      release: () => this.#received.delete(callId),
    });
    if (call?.isOver === false) this.#received.set(callId, { call, access: line.access });
    return done();
  }

  #status(host: TelephonyHost, key: string, event: Event): Response {
    const placed = this.placed.find(key);
    // Acknowledges events of ended calls, so that Telnyx does not repeat them.
    if (placed === null) return done();
    if (!isSigned(event.signed, placed.access.account.public_key, host.clock.wallMs())) return refused();
    const report = reportOf(event.type, event.payload);
    this.reported(placed, report);
    return done();
  }

  protected override encodingOf({ account }: CarrierAccess<'telnyx'>): LegEncoding {
    return account.wideband === true ? 'pcm16' : 'pcmu';
  }

  /** Returns the fields that connect a new or answered call to a bidirectional stream of μ-law or L16. */
  #stream(token: string, access: CarrierAccess<'telnyx'>): JsonFields {
    const encoding = this.encodingOf(access);
    const codec = encoding === 'pcm16' ? 'L16' : 'PCMU';
    return {
      stream_url: this.streamUrl(token),
      stream_track: 'inbound_track',
      stream_codec: codec,
      stream_bidirectional_mode: 'rtp',
      stream_bidirectional_codec: codec,
      stream_bidirectional_sampling_rate: legAudio[encoding].sampleRateHz,
    };
  }
}

async function readEvent(request: Request): Promise<Event> {
  const body = await request.text();
  const data = fieldsOf(parsed(body)?.data);
  const signature = request.headers.get('telnyx-signature-ed25519');
  const timestamp = request.headers.get('telnyx-timestamp');
  return {
    type: textOf(data.event_type) ?? '',
    payload: fieldsOf(data.payload),
    signed: { signature, timestamp, body },
  };
}

function done(): Response {
  return new Response(null, { status: 200 });
}

function refused(): Response {
  return new Response(null, { status: 403 });
}
