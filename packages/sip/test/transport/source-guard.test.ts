import { VirtualClock } from '@va/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { readEnvelope } from '../../src/message/envelope.ts';
import { createResponse } from '../../src/message/response.ts';
import type { Flow } from '../../src/transport/flow.ts';
import { type DropReason, SourceGuard } from '../../src/transport/source-guard.ts';
import { fakeFlow } from '../support/fake-flow.ts';
import { parsedRequest, type RequestParts, requestText } from '../support/messages.ts';

let clock: VirtualClock;
let guard: SourceGuard;

beforeEach(() => {
  clock = new VirtualClock();
  guard = new SourceGuard(clock);
});

function from(address: string): Flow {
  return { ...fakeFlow(), remote: { address, port: 5_060 } };
}

function judge(parts: RequestParts = {}, address = '192.0.2.1'): DropReason {
  const request = parsedRequest(requestText(parts));
  const envelope = readEnvelope(request);
  if (typeof envelope === 'string') throw new Error(envelope);
  return guard.dropReason(request, envelope, from(address));
}

function answer(status: number, times = 1, address = '192.0.2.1'): void {
  const response = createResponse(parsedRequest(requestText()), status);
  for (let i = 0; i < times; i++) guard.onResponse(response, from(address));
}

describe('request from an untrusted source', () => {
  it.each(['friendly-scanner', 'sipcli/v1.8', 'sundayddr', 'SIPVicious', 'sip-scan'])(
    'gets no response with the User-Agent %s',
    (name) => {
      expect(judge({ method: 'OPTIONS', headers: [`User-Agent: ${name}`] })).toBe('scanner');
    },
  );

  it('gets no response when its From identifies a scanner', () => {
    const text = requestText({ method: 'OPTIONS' }).replace('"Ann"', '"sipvicious"');
    const request = parsedRequest(text);
    const envelope = readEnvelope(request);
    expect(typeof envelope === 'string' ? envelope : guard.dropReason(request, envelope, from('192.0.2.1'))).toBe(
      'scanner',
    );
  });

  it.each(['Asterisk PBX 20', 'FPBX-16', 'baresip v1.0.0', 'Scandinavian Telecom SBC', 'Twilio Gateway'])(
    'gets a response with the User-Agent %s',
    (name) => {
      expect(judge({ headers: [`User-Agent: ${name}`] })).toBeNull();
    },
  );
});

describe('address that is rejected repeatedly', () => {
  it('gets no responses for a while, and others do', async () => {
    answer(404, 100);
    expect(judge()).toBe('rate');
    expect(guard.maySendRejection(from('192.0.2.1'))).toBe(false);
    expect(judge({}, '192.0.2.2')).toBeNull();
    await clock.advance(200);
    expect(judge()).toBeNull();
    answer(404);
    expect(judge()).toBe('rate');
  });

  it('still gets responses within its calls', () => {
    answer(401, 100);
    expect(judge({ method: 'BYE', toTag: 'me' })).toBeNull();
    expect(judge({ method: 'ACK' })).toBeNull();
    expect(judge({ method: 'CANCEL' })).toBeNull();
  });

  it('is not verified because a response was sent to it: it may be forged', () => {
    answer(200);
    answer(404, 1_000);
    expect(judge()).toBe('rate');
    expect(guard.mayBeForged(from('192.0.2.1'))).toBe(true);
  });

  it.each(['trust', 'markVerified'] as const)(
    'gets responses for an hour after %s, whatever else arrives',
    async (known) => {
      guard[known](from('192.0.2.1'));
      expect(guard.mayBeForged(from('192.0.2.1'))).toBe(false);
      answer(404, 1_000);
      expect(judge()).toBeNull();
      await clock.advance(3_600_000);
      answer(404, 100);
      expect(judge()).toBe('rate');
    },
  );

  it('does not include an address whose calls are rejected as busy or unavailable', () => {
    for (const status of [100, 180, 480, 486, 487, 503, 603]) answer(status, 200);
    expect(judge()).toBeNull();
  });
});

it('source guard keeps the rejections of a limited number of addresses', () => {
  for (let i = 0; i < 4_097; i++) answer(404, 100, `10.0.${i >> 8}.${i & 255}`);
  expect(judge({}, '10.0.0.0')).toBeNull();
  expect(judge({}, '10.0.0.1')).toBe('rate');
});

describe('trusted sources', () => {
  it('are exempt from limits', () => {
    guard = new SourceGuard(clock, { trusted: ['192.0.2.0/24', '2001:db8::7'] });
    answer(404, 1_000, '192.0.2.9');
    answer(404, 1_000, '2001:db8::7');
    answer(404, 1_000, '2001:db8::8');
    expect(judge({}, '192.0.2.9')).toBeNull();
    expect(judge({}, '2001:db8::7')).toBeNull();
    expect(judge({}, '2001:db8::8')).toBe('rate');
  });

  it.each(['proxy.internal', '192.0.2.0/33', '192.0.2.1/', '2001:db8::/129', '1.2.3.4/8/8', ''])(
    'rejects %j as an address',
    (entry) => {
      const open = (): SourceGuard => new SourceGuard(clock, { trusted: [entry] });
      expect(open).toThrow(expect.objectContaining({ code: 'sip_source_guard' }));
    },
  );
});
