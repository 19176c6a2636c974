import { VirtualClock } from '@va/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { readEnvelope } from '../../src/message/envelope.ts';
import type { SipResponse } from '../../src/message/message.ts';
import { createResponse } from '../../src/message/response.ts';
import { serializeMessage } from '../../src/message/serialize.ts';
import { InviteServerTransaction } from '../../src/transaction/invite-server.ts';
import { NonInviteServerTransaction } from '../../src/transaction/non-invite-server.ts';
import { defaultTimers } from '../../src/transport/timers.ts';
import { fakeFlow } from '../support/fake-flow.ts';
import { parsedRequest, requestText } from '../support/messages.ts';

let clock: VirtualClock;
let sent: number[];
let sentAtMs: number[];
let terminated: number;

beforeEach(() => {
  clock = new VirtualClock();
  sent = [];
  sentAtMs = [];
  terminated = 0;
});

function parts(method: string, reliable: boolean) {
  const request = parsedRequest(requestText({ method }));
  const envelope = readEnvelope(request);
  if (typeof envelope === 'string') throw new Error(envelope);
  const options = {
    clock,
    timers: defaultTimers,
    send: (response: SipResponse) => {
      sent.push(response.status);
      sentAtMs.push(clock.nowMs());
      return serializeMessage(response).length;
    },
    mayBeForged: () => mayBeForged,
    onTerminated: () => {
      terminated += 1;
    },
  };
  return [request, envelope, fakeFlow(reliable), options] as const;
}

let mayBeForged = false;

function invite(reliable = false): InviteServerTransaction {
  return new InviteServerTransaction(...parts('INVITE', reliable));
}

function respond(transaction: InviteServerTransaction | NonInviteServerTransaction, ...statuses: number[]): void {
  for (const status of statuses) transaction.respond(createResponse(transaction.request, status));
}

describe('INVITE server transaction (RFC 3261 §17.2.1)', () => {
  it('answers retransmissions with its last provisional response', () => {
    const transaction = invite();
    transaction.onRetransmission();
    respond(transaction, 100, 180);
    transaction.onRetransmission();
    expect(sent).toEqual([100, 180, 180]);
  });

  it('sends at most three times the bytes of the request to an address that may be forged', async () => {
    mayBeForged = true;
    const refused = invite();
    respond(refused, 100, 401);
    await clock.advance(31_999);
    const few = sent.length;
    expect(few).toBeGreaterThan(2);
    expect(few).toBeLessThan(6);
    mayBeForged = false;
    sent.length = 0;
    respond(invite(), 401);
    await clock.advance(31_999);
    expect(sent).toHaveLength(11);
  });

  it('limits retransmissions of 180 and 200 to three bytes sent for each byte received', async () => {
    mayBeForged = true;
    const answered = invite();
    respond(answered, 100, 180, 200);
    for (let i = 0; i < 10; i++) respond(answered, 200);
    expect(sent.length).toBeLessThan(6);
    mayBeForged = false;
    const before = sent.length;
    for (let i = 0; i < 10; i++) respond(answered, 200);
    expect(sent).toHaveLength(before + 10);
  });

  it('sends the final response once, regardless of the limit', () => {
    mayBeForged = true;
    const answered = invite();
    for (let i = 0; i < 50; i++) respond(answered, 180);
    expect(sent.length).toBeLessThan(6);
    respond(answered, 200);
    expect(sent.at(-1)).toBe(200);
  });

  it('raises the limit with each retransmission of the request', async () => {
    mayBeForged = true;
    const refused = invite();
    respond(refused, 401);
    await clock.advance(20_000);
    const before = sent.length;
    refused.onRetransmission();
    expect(sent).toHaveLength(before + 1);
    mayBeForged = false;
  });

  it('retransmits a rejection at T1, doubling to T2, until timer H (G, H)', async () => {
    respond(invite(), 486);
    await clock.advance(31_999);
    expect(sentAtMs).toEqual([0, 500, 1_500, 3_500, 7_500, 11_500, 15_500, 19_500, 23_500, 27_500, 31_500]);
    expect(terminated).toBe(0);
    await clock.advance(1);
    expect(terminated).toBe(1);
    expect(clock.pending).toBe(0);
  });

  it('stops retransmitting at the ACK and stays T4 for its retransmissions (I)', async () => {
    const transaction = invite();
    respond(transaction, 486);
    transaction.onAck();
    transaction.onAck();
    transaction.onRetransmission();
    await clock.advance(4_999);
    expect([sent.length, terminated]).toEqual([1, 0]);
    await clock.advance(1);
    expect(terminated).toBe(1);
  });

  it('does not retransmit over a reliable transport, and ends with the ACK', async () => {
    const transaction = invite(true);
    respond(transaction, 603);
    await clock.advance(10_000);
    transaction.onAck();
    await clock.advance(0);
    expect([sent, terminated]).toEqual([[603], 1]);
  });

  it('lets its user retransmit a 2xx, and absorbs the INVITE meanwhile (RFC 6026)', async () => {
    const transaction = invite();
    respond(transaction, 200, 200);
    transaction.onRetransmission();
    transaction.onAck();
    respond(transaction, 486);
    expect(sent).toEqual([200, 200]);
    await clock.advance(32_000);
    expect([terminated, clock.pending]).toEqual([1, 0]);
  });
});

describe('non-INVITE server transaction (RFC 3261 §17.2.2)', () => {
  it('answers retransmissions with its final response for 64*T1 (J)', async () => {
    const transaction = new NonInviteServerTransaction(...parts('BYE', false));
    transaction.onRetransmission();
    respond(transaction, 200, 500);
    transaction.onRetransmission();
    expect(sent).toEqual([200, 200]);
    await clock.advance(31_999);
    expect(terminated).toBe(0);
    await clock.advance(1);
    expect([terminated, clock.pending]).toEqual([1, 0]);
  });

  it('ends at once over a reliable transport', async () => {
    respond(new NonInviteServerTransaction(...parts('BYE', true)), 200);
    await clock.advance(0);
    expect([terminated, clock.pending]).toEqual([1, 0]);
  });
});
