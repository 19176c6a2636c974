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
import { PlivoCall } from './plivo-call.ts';
import { plivoSignature } from './plivo-signature.ts';

const authId = 'MAXXXXXXXXXXXXXXXXXX';
const authToken = 'plivo-auth-token';

type FormFields = Readonly<Record<string, string>>;

/** Fields of the hang-up callback, by the behaviour of the phone. */
const ends: Partial<Record<CarrierCallee['does'], FormFields>> = {
  busy: { CallStatus: 'busy', HangupCauseCode: '3010', HangupCauseName: 'Busy Line' },
  'no-answer': { CallStatus: 'no-answer', HangupCauseCode: '3000', HangupCauseName: 'No Answer' },
  decline: { CallStatus: 'busy', HangupCauseCode: '3020', HangupCauseName: 'Rejected' },
  'not-exist': { CallStatus: 'failed', HangupCauseCode: '2010', HangupCauseName: 'Destination Out Of Service' },
  fail: { CallStatus: 'failed', HangupCauseCode: '5000', HangupCauseName: 'Network Error' },
  // Plivo accepts the request, and finds the number invalid later.
  refuse: { CallStatus: 'failed', HangupCauseCode: '2000', HangupCauseName: 'Invalid Destination Address' },
};

/**
 * Plivo's voice API, webhooks and audio streams on loopback.
 *
 * @example const plivoServer = await PlivoServer.start(); plivo({ apiUrl: plivoServer.url });
 */
export class PlivoServer extends CarrierServer<PlivoCall> {
  readonly authId: string = authId;
  readonly authToken: string = authToken;
  readonly trunk: CarrierTrunk = {
    type: 'plivo',
    account: { auth_id: authId },
    credentials: { auth_token: authToken },
  };
  #nonce = 0;
  /** Ringing calls by the id of their request. */
  readonly #ringing = new Map<string, PlivoCall>();

  static async start(options: CarrierServerOptions = {}): Promise<PlivoServer> {
    const server = new PlivoServer(options);
    await server.listen();
    return server;
  }

  async receive({ from, to, adapterUrl, forged }: ReceivedCall): Promise<{ call: PlivoCall; status: number }> {
    const call = this.#newCall();
    // Plivo writes numbers without "+".
    const form = {
      CallUUID: call.id,
      From: from.replace('+', ''),
      To: to.replace('+', ''),
      Direction: 'inbound',
      CallStatus: 'ringing',
      Event: 'StartApp',
    };
    const response = await this.post(`${adapterUrl}/voice`, form, forged === true ? 'forged' : authToken);
    const xml = await response.text();
    if (response.ok) call.execute(xml);
    else call.end();
    return { call, status: response.status };
  }

  /** Sends a webhook that is signed with two tokens, as by Plivo for an account that has two. */
  async post(url: string, form: FormFields, secret: string = authToken): Promise<Response> {
    const nonce = String(++this.#nonce);
    const signed = { method: 'POST', url, form, nonce } as const;
    const signatures = [plivoSignature('former-token', signed), plivoSignature(secret, signed)];
    const headers = { 'x-plivo-signature-v3': signatures.join(','), 'x-plivo-signature-v3-nonce': nonce };
    return await fetch(url, { method: 'POST', headers, body: new URLSearchParams(form) });
  }

  protected answerRequest({ method, path, authorization, fields }: CarrierApiRequest, answer: SendResponse): void {
    const [, kind, id] = /^\/v1\/Account\/[^/]+\/(Call|Request)\/(?:([^/]+)\/)?$/.exec(path) ?? [];
    const expected = `Basic ${Buffer.from(`${authId}:${authToken}`).toString('base64')}`;
    if (authorization !== expected || !path.startsWith(`/v1/Account/${authId}/`)) {
      answer(401, { api_id: uuidOf('api'), error: 'authentication failed' });
      return;
    }
    if (kind === 'Call' && id === undefined && method === 'POST') {
      this.#create(fields, answer);
      return;
    }
    const call = kind === 'Request' ? this.#ringing.get(id ?? '') : this.find(id ?? '');
    if (call === undefined || call.ended) answer(404, { api_id: uuidOf('api'), error: 'call not found' });
    else if (method === 'DELETE') {
      answer(204, null);
      call.end();
    } else if (method === 'POST') this.#transfer(call, fields, answer);
  }

  #newCall(): PlivoCall {
    const { faults } = this.options;
    const call = new PlivoCall(uuidOf(`call ${this.calls.length}`), { clock: this.clock, faults });
    this.calls.push(call);
    return call;
  }

  #create(fields: CarrierApiRequest['fields'], answer: SendResponse): void {
    const callee = this.calleeOf(String(fields.to));
    if (callee.does === 'refuse' && callee.why === 'credentials') {
      answer(401, { api_id: uuidOf('api'), error: 'authentication failed' });
      return;
    }
    const call = this.#newCall();
    const requestId = uuidOf(`request ${call.id}`);
    answer(201, { api_id: uuidOf('api'), message: 'call fired', request_uuid: requestId });
    const common = { CallUUID: call.id, RequestUUID: requestId, Direction: 'outbound', To: String(fields.to) };
    const hangup = (form: FormFields) => () =>
      this.post(String(fields.hangup_url), { ...common, Event: 'Hangup', ...form });
    call.onEnd(() => void this.report(hangup({ CallStatus: 'completed', HangupCauseCode: '4000' })));
    const answerCall = async (): Promise<void> => {
      this.#ringing.delete(requestId);
      const form = { ...common, CallStatus: 'in-progress', Event: 'StartApp' };
      call.execute(await (await this.post(String(fields.answer_url), form)).text());
    };
    const ringing: Report = () =>
      this.post(String(fields.ring_url), { ...common, CallStatus: 'ringing', Event: 'Ring' });
    const end = ends[callee.does];
    this.#ringing.set(requestId, call);
    this.ring(callee, answerCall, [ringing, ringing, ...(end === undefined ? [] : [hangup(end)])]);
  }

  #transfer(call: PlivoCall, fields: CarrierApiRequest['fields'], answer: SendResponse): void {
    if (fields.legs !== 'aleg' || typeof fields.aleg_url !== 'string') {
      answer(400, { api_id: uuidOf('api'), error: 'aleg_url is required' });
      return;
    }
    answer(202, { api_id: uuidOf('api'), message: 'call transferred', call_uuids: [call.id] });
    const url = fields.aleg_url;
    void (async () => call.execute(await (await this.post(url, { CallUUID: call.id, Event: 'Redirect' })).text()))();
  }
}
