import {
  type CarrierApiRequest,
  type CarrierCallee,
  CarrierServer,
  type CarrierServerOptions,
  type CarrierTrunk,
  type ReceivedCall,
  type Report,
  type SendResponse,
  uuidOf,
} from '../carrier-server.ts';
import { TelnyxCall } from './telnyx-call.ts';
import { type TelnyxKeys, telnyxKeys, telnyxSignature } from './telnyx-signature.ts';

const connectionId = '1684641123236054244';
const apiKey = 'telnyx-api-key';

/** Payload of `call.hangup`, by the behaviour of the phone. */
const ends: Partial<Record<CarrierCallee['does'], object>> = {
  busy: { hangup_cause: 'user_busy', sip_hangup_cause: '486' },
  'no-answer': { hangup_cause: 'timeout' },
  decline: { hangup_cause: 'call_rejected', sip_hangup_cause: '603' },
  'not-exist': { hangup_cause: 'not_found', sip_hangup_cause: '404' },
  fail: { hangup_cause: 'unspecified', sip_hangup_cause: '500' },
};

/**
 * Telnyx's Call Control API, webhooks and media streams on loopback.
 *
 * @example const telnyxServer = await TelnyxServer.start(); telnyx({ apiUrl: telnyxServer.url });
 */
export class TelnyxServer extends CarrierServer<TelnyxCall> {
  readonly keys: TelnyxKeys = telnyxKeys();
  readonly #forged: TelnyxKeys = telnyxKeys();
  readonly trunk: CarrierTrunk = {
    type: 'telnyx',
    account: { connection_id: connectionId, public_key: this.keys.publicKey },
    credentials: { api_key: apiKey },
  };
  readonly apiKey: string = apiKey;
  readonly connectionId: string = connectionId;
  /** Calls by the `command_id` of their request. */
  readonly #byCommand = new Map<string, TelnyxCall>();
  /** URL for the events of a call, by the id of the call. */
  readonly #webhooks = new Map<string, string>();

  static async start(options: CarrierServerOptions = {}): Promise<TelnyxServer> {
    const server = new TelnyxServer(options);
    await server.listen();
    return server;
  }

  async receive({ from, to, adapterUrl, forged }: ReceivedCall): Promise<{ call: TelnyxCall; status: number }> {
    const call = this.#newCall(`${adapterUrl}/voice`);
    const payload = { direction: 'incoming', state: 'parked', from, to };
    const response = await this.event(call, 'call.initiated', payload, forged === true ? this.#forged : this.keys);
    if (!response.ok) call.end();
    return { call, status: response.status };
  }

  /** Sends an event of a call. */
  async event(call: TelnyxCall, type: string, more: object, keys: TelnyxKeys = this.keys): Promise<Response> {
    const payload = { call_control_id: call.id, connection_id: connectionId, ...more };
    const occurredAt = new Date(this.clock.wallMs()).toISOString();
    const data = { record_type: 'event', event_type: type, id: uuidOf(type), occurred_at: occurredAt, payload };
    const body = JSON.stringify({ data, meta: { attempt: 1 } });
    const headers = { 'content-type': 'application/json', ...telnyxSignature(keys, body, this.clock.wallMs()) };
    return await fetch(this.#webhooks.get(call.id) ?? '', { method: 'POST', headers, body });
  }

  protected answerRequest({ method, path, authorization, fields }: CarrierApiRequest, answer: SendResponse): void {
    const [, id, action = ''] = /^\/v2\/calls\/([^/]+)\/actions\/(\w+)$/.exec(path) ?? [];
    if (authorization !== `Bearer ${apiKey}`) refuse(answer, 401, '10009', 'Authentication failed');
    else if (method === 'POST' && path === '/v2/calls') this.#create(fields, answer);
    else if (method === 'POST' && id !== undefined) this.#command(decodeURIComponent(id), action, fields, answer);
    else refuse(answer, 404, '10005', 'Resource not found');
  }

  #newCall(webhookUrl: string): TelnyxCall {
    const n = this.calls.length;
    const { faults } = this.options;
    const call = new TelnyxCall(`v3:call/${n}+${uuidOf(`call ${n}`)}`, uuidOf(`session ${n}`), {
      clock: this.clock,
      faults,
    });
    this.calls.push(call);
    this.#webhooks.set(call.id, webhookUrl);
    call.onEnd(() => void this.report(() => this.event(call, 'call.hangup', { hangup_cause: 'normal_clearing' })));
    return call;
  }

  #create(fields: CarrierApiRequest['fields'], answer: SendResponse): void {
    const callee = this.calleeOf(String(fields.to));
    if (callee.does === 'refuse') {
      if (callee.why === 'credentials') refuse(answer, 401, '10009', 'Authentication failed');
      else refuse(answer, 422, '10016', 'Phone number must be in +E.164 format');
      return;
    }
    if (fields.connection_id !== connectionId) {
      refuse(answer, 422, '10015', 'Invalid value for connection_id');
      return;
    }
    if (!hasStream(fields)) {
      refuse(answer, 422, '10015', 'Invalid stream parameters');
      return;
    }
    const command = String(fields.command_id);
    const known = this.#byCommand.get(command);
    const call = known ?? this.#newCall(String(fields.webhook_url));
    this.#byCommand.set(command, call);
    answer(200, { data: { call_control_id: call.id, is_alive: false, record_type: 'call' } });
    if (known !== undefined) return;
    const types = ['call.initiated', ...(callee.does === 'answer' ? ['call.answered', 'streaming.started'] : [])];
    const reports: Report[] = types.map((type) => () => this.event(call, type, { direction: 'outgoing' }));
    const end = ends[callee.does];
    if (end !== undefined) reports.push(() => this.event(call, 'call.hangup', end));
    this.ring(callee, () => call.stream(String(fields.stream_url), fields.stream_codec), reports);
  }

  /**
   * Calls the destination. Events of the leg to the destination carry the `client_state` of the command; events of the
   * caller's leg do not.
   */
  #transfer(call: TelnyxCall, fields: CarrierApiRequest['fields']): void {
    const to = String(fields.to);
    const callee = this.calleeOf(to);
    const leg = {
      call_control_id: `v3:leg/${uuidOf(`${call.id} ${to}`)}`,
      client_state: fields.target_leg_client_state,
    };
    const ofLeg =
      (type: string, more: object = {}): Report =>
      () =>
        this.event(call, type, { ...leg, direction: 'outgoing', ...more });
    const reports = [ofLeg('call.initiated')];
    if (callee.does === 'answer') {
      reports.push(ofLeg('call.answered'), () => this.event(call, 'call.bridged', {}), ofLeg('call.bridged'));
    }
    const end = ends[callee.does];
    if (end !== undefined) reports.push(ofLeg('call.hangup', end));
    this.ring(callee, () => call.transfer(to), reports);
  }

  #command(id: string, action: string, fields: CarrierApiRequest['fields'], answer: SendResponse): void {
    const call = this.find(id);
    if (call === undefined) {
      refuse(answer, 422, '90018', 'Call has already ended');
      return;
    }
    switch (action) {
      case 'answer':
        if (!hasStream(fields)) {
          refuse(answer, 422, '10015', 'Invalid stream parameters');
          return;
        }
        call.stream(String(fields.stream_url), fields.stream_codec);
        break;
      case 'reject':
        call.refused = fields.cause === 'USER_BUSY' || fields.cause === 'CALL_REJECTED';
        call.end();
        break;
      case 'hangup':
        call.end();
        break;
      case 'transfer':
        if (!isState(fields.target_leg_client_state)) {
          refuse(answer, 422, '10015', 'Invalid value for target_leg_client_state');
          return;
        }
        this.#transfer(call, fields);
        break;
      case 'send_dtmf':
        call.keys += String(fields.digits);
        break;
      default:
        refuse(answer, 404, '10005', 'Resource not found');
        return;
    }
    answer(200, { data: { result: 'ok' } });
  }
}

function hasStream(fields: CarrierApiRequest['fields']): boolean {
  const { stream_url: url, stream_bidirectional_mode: mode, stream_bidirectional_codec: codec } = fields;
  const { stream_codec: receivedCodec = codec, stream_bidirectional_sampling_rate: rateHz = 8_000 } = fields;
  const isCodec =
    codec === receivedCodec && (codec === 'PCMU' ? rateHz === 8_000 : codec === 'L16' && rateHz === 16_000);
  return typeof url === 'string' && /^wss?:/.test(url) && mode === 'rtp' && isCodec;
}

/** Returns true for base64 text, and for undefined. */
function isState(text: unknown): boolean {
  if (text === undefined) return true;
  return typeof text === 'string' && text !== '' && Buffer.from(text, 'base64').toString('base64') === text;
}

function refuse(answer: SendResponse, status: number, code: string, title: string): void {
  answer(status, { errors: [{ code, title, detail: `${title}.` }] });
}
