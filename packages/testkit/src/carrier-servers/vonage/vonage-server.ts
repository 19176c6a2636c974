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
import { fieldsOf } from '../texts.ts';
import { VonageCall } from './vonage-call.ts';
import { isApiToken, vonageKeys, vonageSignature } from './vonage-tokens.ts';

const applicationId = '78d335fa-323d-4114-9c3d-d6f0d48968cf';
const secret = 'vonage-signature-secret-of-32-bytes';

/** Event after `started` and `ringing`, by the behaviour of the phone. */
const outcomes: Partial<Record<CarrierCallee['does'], object>> = {
  answer: { status: 'answered' },
  busy: { status: 'busy' },
  'no-answer': { status: 'unanswered' },
  decline: { status: 'rejected', detail: 'declined' },
  'not-exist': { status: 'failed', detail: 'cannot_route' },
  fail: { status: 'failed', detail: 'internal_error' },
};

/**
 * Vonage's voice API, webhooks and WebSockets on loopback.
 *
 * @example const vonageServer = await VonageServer.start(); vonage({ apiUrl: vonageServer.url });
 */
export class VonageServer extends CarrierServer<VonageCall> {
  readonly applicationId: string = applicationId;
  readonly signatureSecret: string = secret;
  readonly privateKey: string = vonageKeys().privateKey;
  readonly trunk: CarrierTrunk = {
    type: 'vonage',
    account: { application_id: applicationId },
    credentials: { private_key: this.privateKey, signature_secret: secret },
  };

  static async start(options: CarrierServerOptions = {}): Promise<VonageServer> {
    const server = new VonageServer(options);
    await server.listen();
    return server;
  }

  async receive({ from, to, adapterUrl, forged }: ReceivedCall): Promise<{ call: VonageCall; status: number }> {
    const call = this.#newCall();
    // Vonage writes numbers without "+".
    const fields = {
      from: from.replace('+', ''),
      to: to.replace('+', ''),
      uuid: call.id,
      conversation_uuid: `CON-${uuidOf(`conversation ${call.id}`)}`,
    };
    const response = await this.get(`${adapterUrl}/voice`, fields, forged === true ? 'forged' : secret);
    if (response.ok) call.execute(await response.json());
    else call.end();
    return { call, status: response.status };
  }

  /** Sends a signed webhook as a GET request, the default for received calls. */
  async get(url: string, fields: Readonly<Record<string, string>>, key: string = secret): Promise<Response> {
    const headers = { authorization: this.#authorization(JSON.stringify(fields), key) };
    return await fetch(`${url}?${new URLSearchParams(fields)}`, { headers });
  }

  /** Sends a signed webhook as a POST request. */
  async post(url: string, fields: object, key: string = secret): Promise<Response> {
    const body = JSON.stringify(fields);
    const headers = { 'content-type': 'application/json', authorization: this.#authorization(body, key) };
    return await fetch(url, { method: 'POST', headers, body });
  }

  protected answerRequest({ method, path, authorization, fields }: CarrierApiRequest, answer: SendResponse): void {
    const [, id, isKeys] = /^\/v1\/calls\/([^/]+)(\/dtmf)?$/.exec(path) ?? [];
    const isValid = isApiToken(authorization.replace(/^Bearer /, ''), applicationId, this.clock.wallMs());
    const call = this.find(id ?? '');
    if (!isValid) answer(401, { type: 'UNAUTHORIZED', error_title: 'Unauthorized' });
    else if (method === 'POST' && path === '/v1/calls') this.#create(fields, answer);
    else if (method !== 'PUT' || call === undefined) answer(404, { type: 'NOT_FOUND', error_title: 'Not Found' });
    else if (isKeys === undefined) this.#change(call, fields, answer);
    else if (!/^[0-9*#p]+$/.test(String(fields.digits))) answer(400, { type: 'BAD_REQUEST', title: 'Bad Request' });
    else {
      call.keys += String(fields.digits);
      answer(200, { message: 'DTMF sent', uuid: call.id });
    }
  }

  #authorization(payload: string, key: string): string {
    return `Bearer ${vonageSignature({ applicationId, secret: key, payload, wallMs: this.clock.wallMs() })}`;
  }

  #newCall(): VonageCall {
    const { faults } = this.options;
    const call = new VonageCall(uuidOf(`call ${this.calls.length}`), { clock: this.clock, faults });
    this.calls.push(call);
    return call;
  }

  #create(fields: CarrierApiRequest['fields'], answer: SendResponse): void {
    const [to] = Array.isArray(fields.to) ? fields.to : [];
    const { number } = fieldsOf(to);
    const callee = this.calleeOf(`+${String(number)}`);
    const ringing = Number(fields.ringing_timer ?? 60);
    if (callee.does === 'refuse' && callee.why === 'credentials') {
      answer(401, { type: 'UNAUTHORIZED', error_title: 'Unauthorized' });
      return;
    }
    if (callee.does === 'refuse' || !/^\d{7,15}$/.test(String(number)) || ringing > 120) {
      answer(400, { type: 'BAD_REQUEST', error_title: 'Bad Request', invalid_parameters: { to: 'Is invalid.' } });
      return;
    }
    const call = this.#newCall();
    answer(201, { uuid: call.id, status: 'started', direction: 'outbound', conversation_uuid: `CON-${call.id}` });
    const [url] = Array.isArray(fields.event_url) ? fields.event_url : [];
    const event =
      (more: object): Report =>
      () =>
        this.post(String(url), { uuid: call.id, direction: 'outbound', to: number, ...more });
    // The WebSocket is a leg of its own, whose events come to the same URL.
    const leg = { uuid: uuidOf(`leg ${call.id}`), to: 'wss://example.com' };
    call.onEnd(() => void this.report(event({ status: 'completed' })));
    const reports = [event({ status: 'started' }), event({ status: 'ringing' })];
    const outcome = outcomes[callee.does];
    if (outcome !== undefined) reports.push(event(outcome));
    if (callee.does === 'answer') reports.push(event({ status: 'failed', ...leg }));
    this.ring(callee, () => call.execute(fields.ncco), reports);
  }

  #change(call: VonageCall, { action, destination }: CarrierApiRequest['fields'], answer: SendResponse): void {
    if (action === 'hangup') call.end();
    else if (action === 'transfer') call.execute(fieldsOf(destination).ncco);
    else {
      answer(400, { type: 'BAD_REQUEST', error_title: 'Bad Request' });
      return;
    }
    answer(204, null);
  }
}
