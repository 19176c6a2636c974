import { TwilioServer, twilioSignature } from '@va/testkit/carrier-servers';
import twilioSdk from 'twilio';
import { describe, expect, it } from 'vitest';
import { isSigned } from '../../src/twilio/signature.ts';
import { connectStream, dial, reject } from '../../src/twilio/twiml.ts';

const token = 'an-auth-token';
const url = 'https://example.com/voice/telephony/twilio/voice?a=1&b=two%20words';
const form = { From: '+31201234567', To: '+31 20', CallSid: 'CA1', Zebra: 'é', Aa: '' };

describe('signatures of Twilio', () => {
  it('are those of the vendor’s SDK', () => {
    const theirs = twilioSdk.getExpectedTwilioSignature(token, url, form);
    expect(isSigned({ url, form: new URLSearchParams(form) }, theirs, token)).toBe(true);
    expect(twilioSignature(token, url, form)).toBe(theirs);
    expect(twilioSdk.validateRequest(token, twilioSignature(token, url, form), url, form)).toBe(true);
  });

  it.each([
    ['with the default port', 'https://example.com:443/voice?a=1'],
    ['without a port', 'https://example.com/voice?a=1'],
  ])('are accepted for a URL %s', (_name, signed) => {
    const theirs = twilioSdk.getExpectedTwilioSignature(token, signed, form);
    const request = { url: 'https://example.com/voice?a=1', form: new URLSearchParams(form) };
    expect(isSigned(request, theirs, token)).toBe(true);
  });

  it('are accepted for a query in the other encoding', () => {
    const theirs = twilioSdk.getExpectedTwilioSignature(token, 'https://example.com/voice?q=two+words', form);
    const request = { url: 'https://example.com/voice?q=two%20words', form: new URLSearchParams(form) };
    expect(isSigned(request, theirs, token)).toBe(true);
  });

  it('cover each value of a repeated field', () => {
    const repeated = { Digits: ['2', '1'] };
    const theirs = twilioSdk.getExpectedTwilioSignature(token, url, repeated);
    const fields = new URLSearchParams([
      ['Digits', '2'],
      ['Digits', '1'],
    ]);
    expect(isSigned({ url, form: fields }, theirs, token)).toBe(true);
  });

  it.each<[string, string | null, string, string]>([
    ['none', null, url, token],
    ['one of another token', twilioSignature('other', url, form), url, token],
    ['one of another URL', twilioSignature(token, 'https://evil.example/', form), url, token],
    ['one of other fields', twilioSignature(token, url, { ...form, To: '+1' }), url, token],
    ['text that is not base64', '%%%', url, token],
    ['an empty one', '', url, token],
  ])('are refused: %s', (_name, signature, signedUrl, authToken) => {
    expect(isSigned({ url: signedUrl, form: new URLSearchParams(form) }, signature, authToken)).toBe(false);
  });
});

describe('TwiML documents', () => {
  const { VoiceResponse } = twilioSdk.twiml;

  it('are those of the vendor’s SDK', () => {
    const stream = new VoiceResponse();
    const address = 'wss://example.com/voice/telephony/twilio/stream';
    stream.connect().stream({ url: address }).parameter({ name: 'token', value: 'a"<&' });
    expect(connectStream(address, 'a"<&')).toBe(stream.toString().replace('&gt;', '>'));
    const refused = new VoiceResponse();
    refused.reject({ reason: 'busy' });
    expect(reject('busy')).toBe(refused.toString());
    const dialed = new VoiceResponse();
    dialed.dial({ callerId: '+31201234567' }).number('+3120');
    expect(dial('+3120', '+31201234567')).toBe(dialed.toString());
    const sip = new VoiceResponse();
    sip.dial({ callerId: '+31201234567' }).sip('sip:desk@example.com;x=1&2');
    expect(dial('sip:desk@example.com;x=1&2', '+31201234567')).toBe(sip.toString());
  });
});

describe('the testkit’s Twilio', () => {
  it('answers the vendor’s SDK', async () => {
    const server = await TwilioServer.start({ callee: () => ({ does: 'ring' }) });
    const client = twilioSdk(server.accountSid, server.authToken, {
      httpClient: {
        async request({ method, uri, data, headers }: Record<string, unknown>) {
          const target = String(uri).replace('https://api.twilio.com', server.url);
          const body = new URLSearchParams(Object.entries({ ...(data as object) }));
          const authorization = `Basic ${Buffer.from(`${server.accountSid}:${server.authToken}`).toString('base64')}`;
          const init = { method: String(method), body, headers: { ...(headers as object), authorization } };
          const response = await fetch(target, init);
          return { statusCode: response.status, body: await response.json(), headers: {} };
        },
      } as never,
    });
    const call = await client.calls.create({ to: '+31201', from: '+31202', twiml: '<Response/>' });
    expect(call.sid).toMatch(/^CA\d{32}$/);
    expect((await client.calls(call.sid).update({ status: 'completed' })).sid).toBe(call.sid);
    await expect(client.calls(call.sid).update({ status: 'completed' })).rejects.toMatchObject({ code: 20_404 });
    await server.close();
  });
});
