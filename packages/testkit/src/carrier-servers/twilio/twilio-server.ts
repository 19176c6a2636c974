import {
  type CarrierApiRequest,
  type CarrierCallee,
  CarrierServer,
  type CarrierServerOptions,
  type CarrierTrunk,
  type ReceivedCall,
  type SendResponse,
} from '../carrier-server.ts';
import { TwilioCall } from './twilio-call.ts';
import { twilioSignature } from './twilio-signature.ts';

const accountSid = `AC${'a'.repeat(32)}`;
const authToken = 'twilio-auth-token';

/** Status callbacks after `initiated` and `ringing`, by the behaviour of the phone. */
const outcomes: Readonly<Record<Exclude<CarrierCallee['does'], 'refuse'>, readonly Record<string, string>[]>> = {
  answer: [{ CallStatus: 'in-progress' }],
  ring: [],
  busy: [{ CallStatus: 'busy' }],
  'no-answer': [{ CallStatus: 'no-answer' }],
  decline: [{ CallStatus: 'failed', SipResponseCode: '603' }],
  'not-exist': [{ CallStatus: 'failed', SipResponseCode: '404' }],
  fail: [{ CallStatus: 'failed', SipResponseCode: '500' }],
};

/**
 * Twilio's voice API, webhooks and media streams on loopback.
 *
 * @example const twilioServer = await TwilioServer.start(); twilio({ apiUrl: twilioServer.url });
 */
export class TwilioServer extends CarrierServer<TwilioCall> {
  readonly accountSid: string = accountSid;
  readonly authToken: string = authToken;
  readonly trunk: CarrierTrunk = {
    type: 'twilio',
    account: { account_sid: accountSid },
    credentials: { auth_token: authToken },
  };

  static async start(options: CarrierServerOptions = {}): Promise<TwilioServer> {
    const server = new TwilioServer(options);
    await server.listen();
    return server;
  }

  async receive({ from, to, adapterUrl, forged }: ReceivedCall): Promise<{ call: TwilioCall; status: number }> {
    const call = this.#newCall();
    const form = {
      AccountSid: accountSid,
      ApiVersion: '2010-04-01',
      CallSid: call.id,
      CallStatus: 'ringing',
      Direction: 'inbound',
      From: from,
      To: to,
    };
    const response = await this.#post(`${adapterUrl}/voice`, form, forged === true ? 'forged' : authToken);
    const document = await response.text();
    if (response.ok) call.execute(document);
    else call.end();
    return { call, status: response.status };
  }

  protected answerRequest({ path, authorization, body }: CarrierApiRequest, answer: SendResponse): void {
    const expected = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
    const base = `/2010-04-01/Accounts/${accountSid}/Calls`;
    const fields = new URLSearchParams(body);
    if (authorization !== expected) answer(401, { code: 20_003, message: 'Authenticate', status: 401 });
    else if (path === `${base}.json`) this.#create(fields, answer);
    else if (path.startsWith(`${base}/`)) this.#update(path.slice(base.length + 1, -'.json'.length), fields, answer);
    else answer(404, { code: 20_404, message: 'Not found', status: 404 });
  }

  #newCall(): TwilioCall {
    const sid = `CA${String(this.calls.length).padStart(32, '0')}`;
    const call = new TwilioCall(sid, { accountSid, authToken, clock: this.clock, faults: this.options.faults });
    this.calls.push(call);
    return call;
  }

  async #post(url: string, form: Record<string, string>, secret: string = authToken): Promise<Response> {
    return await fetch(url, {
      method: 'POST',
      headers: { 'x-twilio-signature': twilioSignature(secret, url, form) },
      body: new URLSearchParams(form),
    });
  }

  #create(fields: URLSearchParams, answer: SendResponse): void {
    const callee = this.calleeOf(fields.get('To') ?? '');
    const twiml = fields.get('Twiml') ?? '';
    if (twiml.length > 4_000) {
      answer(400, { code: 21_624, message: 'Invalid Twiml', status: 400 });
      return;
    }
    if (callee.does === 'refuse') {
      const isAccount = callee.why === 'credentials';
      const [status, code] = isAccount ? [401, 20_003] : [400, 21_211];
      answer(status, { code, message: 'The request was refused.', status });
      return;
    }
    const call = this.#newCall();
    answer(201, { sid: call.id, status: 'queued' });
    const url = fields.get('StatusCallback') ?? '';
    const forms = [{ CallStatus: 'initiated' }, { CallStatus: 'ringing' }, ...outcomes[callee.does]];
    const reportOf = (form: object, sequence: number) => () =>
      this.#post(url, { CallSid: call.id, SequenceNumber: String(sequence), ...form });
    call.onEnd(() => void this.report(reportOf({ CallStatus: 'completed' }, forms.length)));
    this.ring(callee, () => call.execute(twiml), forms.map(reportOf));
  }

  #update(sid: string, fields: URLSearchParams, answer: SendResponse): void {
    const call = this.find(sid);
    if (call === undefined) {
      answer(404, { code: 20_404, message: `The call ${sid} is over.`, status: 404 });
      return;
    }
    const twiml = fields.get('Twiml');
    answer(200, { sid, status: 'in-progress' });
    if (twiml !== null) call.execute(twiml);
    else call.end();
  }
}
