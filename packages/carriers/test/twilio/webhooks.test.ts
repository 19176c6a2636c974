import type { CarrierAccess, LegEnd, RejectCause } from '@va/core/adapter';
import { twilioSignature } from '@va/testkit/carrier-servers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { TwilioTelephony } from '../../src/twilio/twilio-telephony.ts';
import { agentNumber, FakeHost } from '../support/fake-host.ts';
import { stubFetch } from '../support/stub-fetch.ts';

afterEach(() => void vi.unstubAllGlobals());

const authToken = 'an-auth-token';
const trunk = {
  ...{ id: 'trunk-1', type: 'twilio' },
  account: { account_sid: 'AC1' },
  credentials: { auth_token: authToken },
} as CarrierAccess<'twilio'>;
const ringing = { CallSid: 'CA1', AccountSid: 'AC1', From: '+31612345678', To: agentNumber, CallerName: 'Anna' };

type Form = Readonly<Record<string, string>>;

async function started() {
  const host = new FakeHost('twilio', trunk);
  const telephony = new TwilioTelephony({});
  await telephony.start(host);
  /** Sends a signed webhook, by default to the URL that is signed. */
  const post = (
    path: string,
    form: Form,
    { key = authToken, to = host.publicUrl, signal = null as AbortSignal | null } = {},
  ) =>
    telephony.fetch(
      new Request(`${to}${path}`, {
        method: 'POST',
        headers: { 'x-twilio-signature': twilioSignature(key, `${host.publicUrl}${path}`, form) },
        body: new URLSearchParams(form),
        signal,
      }),
    );
  return { host, telephony, post };
}

async function called(form: Form = ringing) {
  const running = await started();
  const call = running.host.nextCall();
  const response = running.post('/voice', form);
  return { ...running, call: await call, response };
}

describe('the voice webhook of Twilio', () => {
  it('announces the call with its parties', async () => {
    const { call } = await called();
    expect(call).toMatchObject({
      id: 'CA1',
      from: { number: '+31612345678', displayName: 'Anna' },
      to: { number: agentNumber, uri: agentNumber },
      format: { encoding: 'pcmu', sampleRateHz: 8_000 },
    });
  });

  it('names a caller without a number as anonymous', async () => {
    const { From: _, CallerName: __, ...withheld } = ringing;
    expect((await called(withheld)).call.from).toEqual({ number: 'anonymous', displayName: null, uri: 'anonymous' });
  });

  it('is answered with a stream once the agent accepts', async () => {
    const { call, response } = await called();
    void call.answer();
    const answered = await response;
    expect(answered.headers.get('content-type')).toBe('text/xml; charset=utf-8');
    const text = await answered.text();
    expect(text).toContain('<Stream url="wss://example.com/voice/telephony/twilio/stream">');
    expect(text).toMatch(/<Parameter name="token" value="[0-9a-f]{32}"/);
  });

  it.each<[RejectCause, string]>([
    ['busy', 'busy'],
    ['overloaded', 'busy'],
    ['declined', 'rejected'],
    ['not-found', 'rejected'],
    ['unavailable', 'rejected'],
    ['error', 'rejected'],
  ])('is answered for the cause %s with the reason %s', async (cause, reason) => {
    const { call, response } = await called();
    call.reject(cause);
    expect(await (await response).text()).toContain(`<Reject reason="${reason}"/>`);
  });

  it('is answered as busy when no agent decides within 13 s', async () => {
    const { host, response } = await called();
    await host.clock.advance(13_000);
    expect(await (await response).text()).toContain('<Reject reason="busy"/>');
  });

  it('is answered as busy by a full node, which announces no call', async () => {
    const { host, post } = await started();
    host.isFull = true;
    expect(await (await post('/voice', ringing)).text()).toContain('<Reject reason="busy"/>');
    expect([host.calls, host.refusals]).toEqual([[], 1]);
  });

  it('cancels the call when Twilio gives up the request', async () => {
    const { host, post } = await started();
    const announced = host.nextCall();
    const leaving = new AbortController();
    void post('/voice', ringing, { signal: leaving.signal });
    const call = await announced;
    const ends: LegEnd[] = [];
    call.onEnd((end) => ends.push(end));
    leaving.abort();
    expect(ends).toEqual([{ cause: 'canceled' }]);
  });

  it('is accepted behind a proxy that changes the host of its URL', async () => {
    const { host, post } = await started();
    const announced = host.nextCall();
    void post('/voice', ringing, { to: 'http://10.0.0.1:3000/telephony/twilio' });
    expect((await announced).id).toBe('CA1');
  });

  it.each<[string, Form, string]>([
    ['a forged signature', ringing, 'another-token'],
    ['the signature of another account', { ...ringing, AccountSid: 'AC2' }, authToken],
    ['an unknown number', { ...ringing, To: '+31209999999' }, authToken],
    ['no fields', {}, authToken],
  ])('is refused with %s', async (_, form, key) => {
    const { host, post } = await started();
    expect((await post('/voice', form, { key })).status).toBe(403);
    expect(host.calls).toEqual([]);
  });

  it('is refused without the id of the call', async () => {
    const { post } = await started();
    const { CallSid: _, ...form } = ringing;
    expect((await post('/voice', form)).status).toBe(403);
  });
});

describe('a placed call of Twilio', () => {
  async function placed() {
    const sent = stubFetch([201, { sid: 'CA2' }], [200, {}]);
    const running = await started();
    const request = { callId: 'call-1', destination: '+31687654321', callerNumber: agentNumber, trunk };
    const call = running.telephony.dialCarrier(request);
    const ends: LegEnd[] = [];
    call.onEnd((end) => ends.push(end));
    await vi.waitFor(() => expect(call.id).toBe('CA2'), { interval: 1 });
    const fields = new URLSearchParams(sent[0]?.body as [string, string][]);
    const path = (fields.get('StatusCallback') ?? '').replace(running.host.publicUrl, '');
    return { ...running, call, ends, sent, fields, path };
  }

  it('is requested with its stream and callbacks', async () => {
    const { fields, path } = await placed();
    expect(Object.fromEntries(fields)).toMatchObject({ To: '+31687654321', From: agentNumber, Timeout: '180' });
    expect(fields.get('Twiml')).toContain('<Stream url="wss://example.com/voice/telephony/twilio/stream">');
    expect(path).toMatch(/^\/status\/[0-9a-f]{32}$/);
  });

  it.each([
    [{ CallStatus: 'busy', SipResponseCode: '486' }, 'busy', 'Twilio: busy (SIP 486).'],
    [{ CallStatus: 'no-answer' }, 'no-answer', 'Twilio: no-answer.'],
    [{ CallStatus: 'failed', SipResponseCode: '404' }, 'invalid-destination', 'Twilio: failed (SIP 404).'],
    [{ CallStatus: 'failed', SipResponseCode: 'x' }, 'failed', 'Twilio: failed.'],
  ])('ends with the report %j', async (report, why, message) => {
    const { post, path, ends } = await placed();
    expect((await post(path, report)).status).toBe(204);
    expect(ends).toEqual([{ cause: 'not-answered', why, message }]);
  });

  it('stays alive for a report that is no end, and for a forged one', async () => {
    const { post, path, ends } = await placed();
    expect((await post(path, { CallStatus: 'ringing' })).status).toBe(204);
    expect((await post(path, { CallStatus: 'busy' }, { key: 'another-token' })).status).toBe(403);
    expect(ends).toEqual([]);
  });

  it('is canceled through the API when it is hung up', async () => {
    const { call, sent, ends } = await placed();
    call.hangup();
    await vi.waitFor(() => expect(ends).toEqual([{ cause: 'local-hangup' }]), { interval: 1 });
    expect(sent[1]).toMatchObject({ body: [['Status', 'completed']] });
    expect(sent[1]?.to).toMatch(/\/Calls\/CA2\.json$/);
  });

  it('acknowledges reports after its end without a check of their signature', async () => {
    const { post, path } = await placed();
    await post(path, { CallStatus: 'busy' });
    expect((await post(path, { CallStatus: 'completed' }, { key: 'another-token' })).status).toBe(204);
  });
});
