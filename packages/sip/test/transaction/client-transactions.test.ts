import { VirtualClock } from '@va/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Envelope, readEnvelope } from '../../src/message/envelope.ts';
import type { SipRequest } from '../../src/message/message.ts';
import { createResponse } from '../../src/message/response.ts';
import type { ManagedClientTransaction } from '../../src/transaction/client-transaction.ts';
import { InviteClientTransaction } from '../../src/transaction/invite-client.ts';
import { NonInviteClientTransaction } from '../../src/transaction/non-invite-client.ts';
import { defaultTimers } from '../../src/transport/timers.ts';
import { fakeFlow } from '../support/fake-flow.ts';
import { parsedRequest, requestText } from '../support/messages.ts';

let clock: VirtualClock;
let sent: { readonly request: SipRequest; readonly atMs: number }[];
let reported: (number | string)[];
let terminated: number;

beforeEach(() => {
  clock = new VirtualClock();
  sent = [];
  reported = [];
  terminated = 0;
});

function start(method: 'INVITE' | 'BYE', reliable = false): ManagedClientTransaction {
  const request = parsedRequest(requestText({ method, headers: ['Route: <sip:proxy;lr>'] }));
  const options = {
    clock,
    timers: defaultTimers,
    flow: fakeFlow(reliable),
    send: (each: SipRequest) => sent.push({ request: each, atMs: clock.nowMs() }),
    user: {
      onResponse: ({ status }: { status: number }) => reported.push(status),
      onFailure: (cause: string) => reported.push(cause),
    },
    onTerminated: () => {
      terminated += 1;
    },
  };
  const transaction =
    method === 'INVITE'
      ? new InviteClientTransaction(request, options)
      : new NonInviteClientTransaction(request, options);
  transaction.start();
  return transaction;
}

function answer(transaction: ManagedClientTransaction, ...statuses: number[]): void {
  for (const status of statuses) {
    const response = createResponse(transaction.request, status, { toTag: 'peer' });
    transaction.onResponse(response, readEnvelope(response) as Envelope);
  }
}

const times = () => sent.map((each) => each.atMs);

describe('INVITE client transaction (RFC 3261 §17.1.1)', () => {
  it('retransmits at doubling intervals and gives up after 64*T1 (A, B)', async () => {
    start('INVITE');
    await clock.advance(31_999);
    expect(times()).toEqual([0, 500, 1_500, 3_500, 7_500, 15_500, 31_500]);
    await clock.advance(1);
    expect([reported, terminated, clock.pending]).toEqual([['timeout'], 1, 0]);
  });

  it('stops retransmitting at the first provisional response, and then waits without a limit', async () => {
    const transaction = start('INVITE');
    answer(transaction, 100);
    await clock.advance(120_000);
    answer(transaction, 180);
    expect([times(), reported]).toEqual([[0], [100, 180]]);
  });

  it('acknowledges a rejection itself, and each retransmission of it until timer D', async () => {
    const transaction = start('INVITE');
    answer(transaction, 486, 486);
    expect(sent.map((each) => each.request.method)).toEqual(['INVITE', 'ACK', 'ACK']);
    const ack = sent[1]?.request;
    expect(ack?.headers.get('Via')).toBe(transaction.request.headers.get('Via'));
    expect(ack?.headers.get('To')).toMatch(/tag=peer$/);
    expect(ack?.headers.get('CSeq')).toBe('1 ACK');
    expect(ack?.headers.get('Route')).toBe('<sip:proxy;lr>');
    expect(reported).toEqual([486]);
    await clock.advance(32_000);
    expect([terminated, clock.pending]).toEqual([1, 0]);
  });

  it('passes on each 2xx, for its user to acknowledge (RFC 6026)', async () => {
    const transaction = start('INVITE');
    answer(transaction, 200, 200);
    expect([reported, sent.length]).toEqual([[200, 200], 1]);
    await clock.advance(32_000);
    expect([terminated, clock.pending]).toEqual([1, 0]);
  });

  it('does not retransmit over a reliable transport, and ends when that fails', async () => {
    const transaction = start('INVITE', true);
    await clock.advance(10_000);
    transaction.onTransportFailure('reset');
    expect([times(), reported, clock.pending]).toEqual([[0], ['transport'], 0]);
  });
});

describe('non-INVITE client transaction (RFC 3261 §17.1.2)', () => {
  it('retransmits at intervals that double up to T2 and gives up after 64*T1 (E, F)', async () => {
    start('BYE');
    await clock.advance(32_000);
    expect(times()).toEqual([0, 500, 1_500, 3_500, 7_500, 11_500, 15_500, 19_500, 23_500, 27_500, 31_500]);
    expect([reported, clock.pending]).toEqual([['timeout'], 0]);
  });

  it('retransmits every T2 after a provisional response', async () => {
    const transaction = start('BYE');
    answer(transaction, 100);
    await clock.advance(8_000);
    expect(times()).toEqual([0, 4_000, 8_000]);
  });

  it('absorbs retransmissions of the response for T4 (K)', async () => {
    const transaction = start('BYE');
    answer(transaction, 200, 200);
    expect(reported).toEqual([200]);
    await clock.advance(4_999);
    expect(terminated).toBe(0);
    await clock.advance(1);
    expect([terminated, clock.pending]).toEqual([1, 0]);
  });

  it('ends with its response on a reliable transport', async () => {
    const transaction = start('BYE', true);
    answer(transaction, 200);
    await clock.advance(0);
    expect([times(), terminated, clock.pending]).toEqual([[0], 1, 0]);
  });
});
