import { describe, expect, it } from 'vitest';
import { type Envelope, readEnvelope } from '../../src/message/envelope.ts';
import { clientKey, mergeKey, serverKey } from '../../src/transaction/transaction-keys.ts';
import { parsed, type RequestParts, requestText } from '../support/messages.ts';

function envelope(parts: RequestParts = {}): Envelope {
  return readEnvelope(parsed(requestText(parts))) as Envelope;
}

const via = (sentBy: string, branch: string): string => `Via: SIP/2.0/UDP ${sentBy};branch=${branch}`;

describe('key of a server transaction (RFC 3261 §17.2.3)', () => {
  it('is shared by an INVITE, its ACK and its CANCEL', () => {
    const branch = 'z9hG4bK-1';
    const invite = serverKey(envelope({ branch }), 'INVITE');
    expect(serverKey(envelope({ branch, method: 'ACK', toTag: 'me' }), 'INVITE')).toBe(invite);
    expect(serverKey(envelope({ branch, method: 'CANCEL' }), 'INVITE')).toBe(invite);
    expect(serverKey(envelope({ branch, method: 'CANCEL' }), 'CANCEL')).not.toBe(invite);
  });

  it.each([
    ['another branch', via('127.0.0.1:5099', 'z9hG4bK-2'), 'call-1', false],
    ['another port', via('127.0.0.1:5098', 'z9hG4bK-1'), 'call-1', false],
    ['another case of the host', via('LOCALHOST:5099', 'z9hG4bK-1'), 'call-1', true],
    ['another Call-ID, which does not matter', via('localhost:5099', 'z9hG4bK-1'), 'call-2', true],
  ])('with %s', (_, other, callId, isSame) => {
    const first = envelope({ via: via(isSame ? 'localhost:5099' : '127.0.0.1:5099', 'z9hG4bK-1') });
    expect(serverKey(envelope({ via: other, callId }), 'INVITE') === serverKey(first, 'INVITE')).toBe(isSame);
  });

  it.each(['1', 'z9hG4bK', ''])('with the RFC 2543 branch %j consists of the other fields', (branch) => {
    const key = (parts: RequestParts): string =>
      serverKey(envelope({ via: via('a:1', branch || 'x'), ...parts }), 'INVITE');
    expect(key({ callId: 'one' })).toBe(key({ callId: 'one' }));
    expect(key({ callId: 'one' })).not.toBe(key({ callId: 'two' }));
    expect(key({ cseq: 1 })).not.toBe(key({ cseq: 2 }));
    expect(key({ fromTag: 'a' })).not.toBe(key({ fromTag: 'b' }));
  });
});

it('key of a client transaction consists of branch and method (RFC 3261 §17.1.3)', () => {
  const branch = 'z9hG4bK-1';
  expect(clientKey(envelope({ branch }))).toBe('z9hG4bK-1|INVITE');
  expect(clientKey(envelope({ branch, method: 'CANCEL' }))).toBe('z9hG4bK-1|CANCEL');
});

it('copies of a request on two paths share a key (RFC 3261 §8.2.2.2)', () => {
  expect(mergeKey(envelope({ branch: 'z9hG4bK-1' }))).toBe(mergeKey(envelope({ branch: 'z9hG4bK-2' })));
  for (const other of [{ cseq: 2 }, { callId: 'other' }, { fromTag: 'other' }, { method: 'OPTIONS' }]) {
    expect(mergeKey(envelope(other))).not.toBe(mergeKey(envelope()));
  }
});
