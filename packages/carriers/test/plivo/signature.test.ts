import { plivoSignature } from '@va/testkit/carrier-servers';
import * as plivoSdk from 'plivo';
import { describe, expect, it } from 'vitest';
import { connectStream, dial, reject } from '../../src/plivo/plivo-xml.ts';
import { isSigned } from '../../src/plivo/signature.ts';

const token = 'an-auth-token';
const nonce = '05429567804466091622';
const form = { To: '31201234567', From: '31610000000', CallUUID: 'c1', Zebra: 'é', Aa: '' };

type Validate = (
  method: string,
  uri: string,
  nonce: string,
  token: string,
  signature: string,
  form?: Readonly<Record<string, string>>,
) => boolean;

// The types of the SDK omit its signatures.
const validate = (plivoSdk as unknown as { validateV3Signature: Validate }).validateV3Signature;
const { Response: PlivoResponse } = plivoSdk as unknown as {
  Response: new () => {
    addStream(url: string, attributes: object): void;
    addHangup(attributes: object): void;
    addDial(attributes: object): { addNumber(number: string): void; addUser(user: string): void };
    toXML(): string;
  };
};

describe('signatures of Plivo', () => {
  it.each([
    ['POST', 'https://example.com/voice/telephony/plivo/voice', form],
    ['POST', 'https://example.com/voice?b=2&a=1', form],
    ['POST', 'https://example.com/voice?b=2&a=1', {}],
    ['POST', 'https://example.com:8443/voice', form],
    ['GET', 'https://example.com/voice?To=31201234567&From=31610000000&CallUUID=c1', {}],
    ['GET', 'https://example.com/voice', {}],
  ] as const)('are those of the vendor’s SDK: %s %s', (method, url, fields) => {
    const ours = plivoSignature(token, { method, url, form: fields, nonce });
    const params: Readonly<Record<string, string>> = { ...fields };
    expect(validate(method, url, nonce, token, `other,${ours}`, params)).toBe(true);
    const request = { method, url, form: new URLSearchParams(params) };
    expect(isSigned(request, { signatures: `other,${ours}`, nonce }, token)).toBe(true);
    for (const wrong of [
      { signatures: ours, nonce: 'another' },
      { signatures: 'AAAA', nonce },
      { signatures: null, nonce },
      { signatures: ours, nonce: null },
    ]) {
      expect(isSigned(request, wrong, token)).toBe(false);
    }
    expect(isSigned(request, { signatures: ours, nonce }, 'another')).toBe(false);
    expect(isSigned({ ...request, url: `${url}/else` }, { signatures: ours, nonce }, token)).toBe(false);
  });

  it('cover the fields of a form', () => {
    const url = 'https://example.com/voice';
    const signatures = plivoSignature(token, { method: 'POST', url, form, nonce });
    const changed = new URLSearchParams({ ...form, To: '31200000000' });
    expect(isSigned({ method: 'POST', url, form: changed }, { signatures, nonce }, token)).toBe(false);
  });
});

describe('XML documents', () => {
  const body = (xml: string): string => xml.replace(/^<\?xml[^>]*>/, '');

  it('are those of the vendor’s SDK', () => {
    const stream = new PlivoResponse();
    const url = 'wss://example.com/stream/0?a=1&b=2';
    stream.addStream(url, {
      bidirectional: true,
      keepCallAlive: true,
      contentType: 'audio/x-mulaw;rate=8000',
    });
    expect(body(connectStream(url))).toBe(stream.toXML());
    const refused = new PlivoResponse();
    refused.addHangup({ reason: 'busy' });
    expect(body(reject('busy'))).toBe(refused.toXML());
    const dialed = new PlivoResponse();
    dialed.addDial({ callerId: '+31201234567' }).addNumber('+3120');
    expect(body(dial('+3120', '+31201234567'))).toBe(dialed.toXML());
    const sip = new PlivoResponse();
    sip.addDial({ callerId: '+31201234567' }).addUser('sip:desk@example.com');
    expect(body(dial('sip:desk@example.com', '+31201234567'))).toBe(sip.toXML());
  });
});
