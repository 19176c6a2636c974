import type { CarrierAccess, CarrierDialRequest, LegEnd } from '@va/core/adapter';
import { twilioSignature } from '@va/testkit/carrier-servers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { CarrierOptions } from '../../src/shared/carrier-options.ts';
import { TwilioTelephony } from '../../src/twilio/twilio-telephony.ts';
import { agentNumber, FakeHost } from '../support/fake-host.ts';
import { stubFetch } from '../support/stub-fetch.ts';

afterEach(() => void vi.unstubAllGlobals());

const trunkOf = (id: string, accountSid: string): CarrierAccess<'twilio'> =>
  ({
    ...{ id, type: 'twilio', account: { account_sid: accountSid } },
    credentials: { auth_token: `token of ${accountSid}` },
  }) as CarrierAccess<'twilio'>;
const ours = trunkOf('trunk-1', 'AC1');
const request = (trunk: CarrierAccess = ours): CarrierDialRequest => ({
  ...{ callId: 'call-1', destination: '+31687654321', callerNumber: agentNumber },
  trunk,
});

async function started(options: CarrierOptions = {}, ...trunks: readonly CarrierAccess[]) {
  const host = new FakeHost(options.id ?? 'twilio', ...(trunks.length === 0 ? [ours] : trunks));
  const telephony = new TwilioTelephony(options);
  await telephony.start(host);
  const publicUrl = options.publicUrl === undefined ? host.publicUrl : `${options.publicUrl}/telephony/twilio`;
  /** Sends the webhook of a call to an account, signed with the token of `signer`. */
  const ring = (account: string, signer = account): Promise<Response> => {
    const url = `${publicUrl}/voice`;
    const form = { CallSid: `CA of ${account}`, AccountSid: account, To: agentNumber };
    const headers = { 'x-twilio-signature': twilioSignature(`token of ${signer}`, url, form) };
    return telephony.fetch(new Request(url, { method: 'POST', headers, body: new URLSearchParams(form) }));
  };
  return { host, telephony, ring };
}

describe('an adapter of a carrier', () => {
  it('does not start without a public URL', async () => {
    const host = Object.assign(new FakeHost('twilio', ours), { publicUrl: null });
    await expect(new TwilioTelephony({}).start(host)).rejects.toMatchObject({
      code: 'invalid_options',
      message: 'twilio() needs publicUrl, the URL under which Twilio reaches the service.',
    });
  });

  it.each(['https://node-1.example.com/voice', 'https://node-1.example.com/voice/'])(
    'directs streams to its own public URL %s',
    async (publicUrl) => {
      const sent = stubFetch([201, { sid: 'CA1' }]);
      const { telephony } = await started({ publicUrl });
      telephony.dialCarrier(request());
      await vi.waitFor(() => expect(sent).toHaveLength(1), { interval: 1 });
      const fields = new URLSearchParams(sent[0]?.body as [string, string][]);
      expect(fields.get('Twiml')).toContain('wss://node-1.example.com/voice/telephony/twilio/stream');
      expect(fields.get('StatusCallback')).toMatch(
        /^https:\/\/node-1\.example\.com\/voice\/telephony\/twilio\/status\//,
      );
    },
  );

  it('serves the path of its own id', async () => {
    const { host, telephony } = await started({ id: 'second-twilio' });
    const post = (path: string): Promise<Response> =>
      telephony.fetch(new Request(`https://example.com/voice/telephony/${path}`, { method: 'POST' }));
    expect((await post('second-twilio/voice')).status).toBe(403);
    expect((await post('twilio/voice')).status).toBe(404);
    expect(host.calls).toEqual([]);
  });

  it('answers 503 before its start and after its end', async () => {
    const call = (telephony: TwilioTelephony): Promise<Response> =>
      telephony.fetch(new Request('https://example.com/telephony/twilio/voice', { method: 'POST' }));
    expect((await call(new TwilioTelephony({}))).status).toBe(503);
    const { telephony } = await started();
    await telephony.close();
    expect((await call(telephony)).status).toBe(503);
  });

  it('hangs up its live calls when it is closed', async () => {
    const { host, telephony, ring } = await started();
    const announced = host.nextCall();
    const response = ring('AC1');
    const ends: LegEnd[] = [];
    (await announced).onEnd((end) => ends.push(end));
    await telephony.close();
    expect(ends).toEqual([{ cause: 'local-hangup' }]);
    expect(await (await response).text()).toContain('<Reject reason="rejected"/>');
  });
});

describe('placing a call', () => {
  it('is refused before the start', () => {
    expect(() => new TwilioTelephony({}).dialCarrier(request())).toThrow(
      expect.objectContaining({ code: 'invalid_state' }),
    );
  });

  it('is refused over the trunk of another carrier', async () => {
    const { telephony } = await started();
    const other = { ...ours, type: 'plivo' } as unknown as CarrierAccess;
    expect(() => telephony.dialCarrier(request(other))).toThrow('Twilio cannot use a trunk of plivo.');
  });

  it.each([
    [[400, { code: 21211, message: 'Bad number.' }], 'invalid-destination', 'Twilio refused: Bad number.'],
    [[401, { code: 20003, message: 'Bad token.' }], 'failed', 'Twilio refused: Bad token.'],
    [[500, {}], 'failed', 'Twilio refused: HTTP status 500'],
  ] as const)('ends with the failure of the response %j', async (response, why, message) => {
    stubFetch(response);
    const { telephony } = await started();
    const call = telephony.dialCarrier(request());
    const end = await new Promise<LegEnd>((resolve) => call.onEnd(resolve));
    expect(end).toEqual({ cause: 'not-answered', why, message });
    await expect(call.whenAnswered()).rejects.toMatchObject({ code: 'leg_ended' });
  });
});

describe('the trunk of a webhook', () => {
  it('is the one whose account and secret match', async () => {
    const { host, telephony, ring } = await started({}, trunkOf('other', 'AC2'), ours, trunkOf('copy', 'AC1'));
    const announced = host.nextCall();
    void ring('AC1');
    await announced;
    expect([...telephony.trunkHealth.keys()]).toEqual(['trunk-1']);
  });

  it('records when its last webhook came', async () => {
    const { host, telephony, ring } = await started();
    await host.clock.advance(60_000);
    const announced = host.nextCall();
    void ring('AC1');
    await announced;
    expect(telephony.trunkHealth.get('trunk-1')).toEqual({ last_webhook_at: '2026-01-01T09:01:00.000Z' });
  });

  it('is skipped when its credentials cannot be read', async () => {
    const { host, ring } = await started({}, trunkOf('sealed', 'AC1'), ours);
    const [number] = await host.numbersOf(agentNumber);
    const [sealed] = number?.carrierTrunks ?? [];
    Object.assign(sealed ?? {}, { access: () => Promise.reject(new Error('The vault is locked.')) });
    const announced = host.nextCall();
    void ring('AC1');
    expect((await announced).id).toBe('CA of AC1');
  });

  it('is not looked up after 20 failed checks within a second, unless the account is known', async () => {
    const { host, ring } = await started();
    const announced = host.nextCall();
    void ring('AC1');
    await announced;
    for (let n = 0; n < 25; n += 1) expect((await ring('AC9')).status).toBe(403);
    expect(host.lookedUp).toHaveLength(21);
    const next = host.nextCall();
    void ring('AC1');
    await next;
    expect(host.lookedUp).toHaveLength(22);
    await host.clock.advance(1_000);
    await ring('AC9');
    expect(host.lookedUp).toHaveLength(23);
  });
});
