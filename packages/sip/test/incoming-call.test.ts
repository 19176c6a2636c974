import type { RejectCause } from '@va/core/adapter';
import { VirtualClock } from '@va/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SipMessage } from '../src/message/message.ts';
import { type SipTelephony, sip } from '../src/sip.ts';
import { AnsweringHost } from './support/answering-host.ts';
import { closeOn, closeTimeoutMs } from './support/close-on.ts';
import { offerAt, offerText } from './support/messages.ts';
import { bodyOf, RawPeer, toTagOf } from './support/raw-peer.ts';
import { until } from './support/until.ts';

let clock: VirtualClock;
let host: AnsweringHost;
let telephony: SipTelephony;
let peer: RawPeer;

const isStatus = (status: number) => (message: SipMessage) => message.kind === 'response' && message.status === status;

beforeEach(async () => {
  clock = new VirtualClock();
  host = new AnsweringHost(clock);
  telephony = sip({
    listen: ['udp://127.0.0.1:0'],
    mediaWorkers: 0,
    timers: { t1Ms: 20, t2Ms: 80, t4Ms: 100 },
    // Acts as a trusted provider: responses to untrusted sources are retransmitted only within the amplification limit.
    sourceGuard: { trusted: ['127.0.0.1'] },
  });
  await telephony.start(host);
  peer = await RawPeer.open(telephony.addresses[0]?.port);
});
afterEach(async () => {
  peer.agreeToEveryBye();
  await closeOn(clock, telephony);
  await peer.close();
});

/** Rings, is answered, and sends the ACK; returns the agent's tag. */
async function establish(sdp: string | null = offerText): Promise<{ toTag: string; answer: string }> {
  peer.request(sdp === null ? {} : { sdp });
  const { leg } = await host.answered();
  const ok = await peer.response(200, 'INVITE');
  const toTag = toTagOf(ok);
  peer.request({ method: 'ACK', toTag, branch: 'z9hG4bK-ack', ...(sdp === null ? { sdp: offerText } : {}) });
  await leg;
  return { toTag, answer: bodyOf(ok) };
}

describe('incoming call', () => {
  it('gets 100, 180 and an answer with one codec, and ends when the caller hangs up', async () => {
    peer.request({ sdp: offerText });
    const call = await host.call();
    call.ring();
    const leg = call.answer();
    await peer.response(100);
    const ringing = await peer.response(180);
    const ok = await peer.response(200);
    expect(toTagOf(ringing)).toBe(toTagOf(ok));
    expect(ok.headers.get('Contact')).toBe(`<sip:127.0.0.1:${telephony.addresses[0]?.port}>`);
    expect(bodyOf(ok)).toMatch(/m=audio \d+ RTP\/AVP 8 96\r\n/);
    peer.request({ method: 'ACK', toTag: toTagOf(ok), branch: 'z9hG4bK-ack' });
    expect((await leg).format).toEqual({ encoding: 'pcma', sampleRateHz: 8_000 });
    peer.request({ method: 'BYE', cseq: 2, toTag: toTagOf(ok) });
    await peer.response(200, 'BYE');
    expect(host.ends).toEqual([{ cause: 'remote-hangup' }]);
    expect(call.from).toEqual({ number: '+31612345678', displayName: 'Ann', uri: 'sip:+31612345678@127.0.0.1' });
    expect(call.to.number).toBe('+31201234567');
  });

  it('stays one call when the INVITE is retransmitted, and the last response is repeated', async () => {
    peer.request({ sdp: offerText });
    const call = await host.call();
    call.ring();
    await peer.response(180);
    peer.request({ sdp: offerText });
    await peer.repeatedResponse(180, 'INVITE');
    expect(host.callCount).toBe(0);
    call.reject('busy');
  });

  it('retransmits the answer until the ACK arrives', async () => {
    peer.request({ sdp: offerText });
    const { leg } = await host.answered();
    await peer.response(200);
    let toTag = '';
    for (const intervalMs of [20, 40, 80]) {
      await clock.advance(intervalMs);
      toTag = toTagOf(await peer.repeatedResponse(200, 'INVITE'));
    }
    peer.request({ method: 'ACK', toTag, branch: 'z9hG4bK-ack' });
    await leg;
    await clock.advance(1_000);
    await peer.barrier();
    expect(peer.count(isStatus(200))).toBe(4);
  });

  it('is hung up when the answer is never acknowledged', async () => {
    peer.request({ sdp: offerText });
    const { leg } = await host.answered();
    await peer.response(200);
    await clock.advance(64 * 20);
    await expect(leg).rejects.toMatchObject({ code: 'call_over' });
    peer.respond(await peer.requested('BYE'), 200);
    expect(host.ends).toEqual([{ cause: 'transport-error', message: expect.stringContaining('acknowledged') }]);
  });

  it('is hung up locally with one BYE in the dialog', async () => {
    peer.request({ sdp: offerText });
    const { call, leg } = await host.answered();
    const toTag = toTagOf(await peer.response(200));
    peer.request({ method: 'ACK', toTag, branch: 'z9hG4bK-ack' });
    await leg;
    call.hangup();
    call.hangup();
    const bye = await peer.requested('BYE');
    expect(bye.uri).toBe(`sip:ann@127.0.0.1:${peer.port}`);
    expect(bye.headers.get('From')).toContain(`tag=${toTag}`);
    expect(bye.headers.get('To')).toContain('tag=ann');
    peer.respond(bye, 200);
    await peer.barrier();
    expect(peer.count((message) => message.kind === 'request')).toBe(1);
    expect(host.ends).toEqual([{ cause: 'local-hangup' }]);
  });

  it('delays a BYE until the ACK when it is hung up before', async () => {
    peer.request({ sdp: offerText });
    const { call, leg } = await host.answered();
    const toTag = toTagOf(await peer.response(200));
    call.hangup();
    await expect(leg).rejects.toMatchObject({ code: 'call_over' });
    expect(peer.count((message) => message.kind === 'request')).toBe(0);
    peer.request({ method: 'ACK', toTag, branch: 'z9hG4bK-ack' });
    peer.respond(await peer.requested('BYE'), 200);
  });

  it('ends when the caller cancels before the answer', async () => {
    peer.request({ sdp: offerText });
    const call = await host.call();
    call.ring();
    await peer.response(180);
    peer.request({ method: 'CANCEL', branch: 'z9hG4bK-call-1-1-INVITE' });
    await peer.response(200, 'CANCEL');
    const terminated = await peer.response(487, 'INVITE');
    peer.request({ method: 'ACK', toTag: toTagOf(terminated), branch: 'z9hG4bK-call-1-1-INVITE' });
    expect(host.ends).toEqual([{ cause: 'canceled' }]);
    await expect(call.answer()).rejects.toMatchObject({ code: 'call_over' });
  });

  it('rejects a CANCEL without a matching INVITE', async () => {
    peer.request({ method: 'CANCEL' });
    await peer.response(481, 'CANCEL');
  });

  it.each([
    ['busy', 486],
    ['not-found', 404],
    ['unavailable', 480],
    ['declined', 603],
    ['overloaded', 503],
    ['error', 500],
  ] as const)('is rejected as %s with %i, retransmitted until the ACK', async (cause: RejectCause, status) => {
    peer.request({ sdp: offerText });
    const call = await host.call();
    call.reject(cause);
    await peer.response(status);
    await clock.advance(20);
    const refusal = await peer.repeatedResponse(status, 'INVITE');
    expect(refusal.headers.get('Retry-After')).toBe(cause === 'overloaded' ? '5' : undefined);
    peer.request({ method: 'ACK', toTag: toTagOf(refusal), branch: 'z9hG4bK-call-1-1-INVITE' });
    await peer.barrier();
    await clock.advance(1_000);
    await peer.barrier();
    expect(peer.count(isStatus(status))).toBe(2);
    expect(host.ends).toEqual([{ cause: 'local-hangup' }]);
  });

  it('is rejected with Retry-After when the node is full', async () => {
    host.full = true;
    peer.request({ sdp: offerText });
    expect((await peer.response(503)).headers.get('Retry-After')).toBe('5');
    expect(host.callCount).toBe(0);
  });

  it('is rejected with a Warning when the offer has no supported codec', async () => {
    peer.request({ sdp: offerText.replace('8 0 96', '4 18') });
    expect((await peer.response(488)).headers.get('Warning')).toMatch(/^304 - "/);
    expect(host.callCount).toBe(0);
  });

  it('without an offer is answered with a local one, and the ACK contains the answer', async () => {
    const { answer } = await establish(null);
    expect(answer).toMatch(/m=audio \d+ RTP\/AVP 0 8 101\r\n/);
  });

  it('without an offer is hung up when the ACK contains no matching answer', async () => {
    peer.request({});
    const { leg } = await host.answered();
    peer.request({ method: 'ACK', toTag: toTagOf(await peer.response(200)), branch: 'z9hG4bK-ack' });
    await expect(leg).rejects.toMatchObject({ code: 'call_over' });
    peer.respond(await peer.requested('BYE'), 200);
  });
});

describe('established call', () => {
  it('answers hold and resume with the matching direction', async () => {
    const { toTag } = await establish();
    const directions = ['sendonly', 'inactive', 'sendrecv'];
    for (const [index, direction] of directions.entries()) {
      const cseq = index + 2;
      peer.request({ cseq, toTag, sdp: `${offerText}a=${direction}\n` });
      const ok = await peer.response(200, 'INVITE');
      expect(bodyOf(ok)).toContain(`a=${{ sendonly: 'recvonly', inactive: 'inactive' }[direction] ?? 'sendrecv'}\r\n`);
      peer.request({ method: 'ACK', cseq, toTag, branch: `z9hG4bK-ack-${cseq}` });
    }
    expect(host.ends).toEqual([]);
  });

  it('rejects an offer without the present codec, and changes nothing', async () => {
    const { toTag } = await establish();
    peer.request({ cseq: 2, toTag, sdp: offerText.replace('8 0 96', '18 96') });
    await peer.response(488, 'INVITE');
    peer.request({ method: 'ACK', cseq: 2, toTag, branch: 'z9hG4bK-call-1-2-INVITE' });
    expect(host.ends).toEqual([]);
  });

  it('rejects an INVITE that overtakes the ACK of the previous one', async () => {
    peer.request({ sdp: offerText });
    const { leg } = await host.answered();
    const toTag = toTagOf(await peer.response(200));
    peer.request({ cseq: 2, toTag, sdp: offerText });
    expect((await peer.response(500, 'INVITE')).headers.get('Retry-After')).toBe('1');
    peer.request({ method: 'ACK', toTag, branch: 'z9hG4bK-ack' });
    await leg;
  });

  it.each([
    ['OPTIONS', 200],
    ['INFO', 200],
    ['UPDATE', 200],
    ['MESSAGE', 405],
    ['SUBSCRIBE', 489],
    ['PUBLISH', 405],
    ['DANCE', 501],
    ['PRACK', 481],
    ['REFER', 400],
    ['NOTIFY', 489],
  ])('answers %s with %i', async (method, status) => {
    const { toTag } = await establish();
    peer.request({ method, cseq: 2, toTag });
    const response = await peer.response(status, method);
    if ([405, 489, 501].includes(status) && method !== 'NOTIFY')
      expect(response.headers.get('Allow')).toContain('INVITE');
  });

  it('rejects a request that is out of order', async () => {
    const { toTag } = await establish();
    peer.request({ method: 'OPTIONS', cseq: 5, toTag });
    await peer.response(200, 'OPTIONS');
    peer.request({ method: 'BYE', cseq: 4, toTag });
    await peer.response(500, 'BYE');
    expect(host.ends).toEqual([]);
  });

  it("moves audio to the peer's new address", async () => {
    const [before, after] = [await RawPeer.open(), await RawPeer.open()];
    const [first, second] = [before.port, after.port];
    await Promise.all([before.close(), after.close()]);
    peer.request({ sdp: offerAt(first) });
    const { leg } = await host.answered();
    const toTag = toTagOf(await peer.response(200));
    peer.request({ method: 'ACK', toTag, branch: 'z9hG4bK-ack' });
    await leg;
    peer.request({ cseq: 2, toTag, sdp: offerAt(second) });
    await peer.response(200, 'INVITE');
    peer.request({ method: 'ACK', cseq: 2, toTag, branch: 'z9hG4bK-ack-2' });
    const { createSocket } = await import('node:dgram');
    const socket = createSocket('udp4');
    const heard = new Promise<Uint8Array>((resolve) => {
      socket.once('message', resolve);
    });
    await new Promise<void>((resolve) => {
      socket.bind(second, '127.0.0.1', resolve);
    });
    (await leg).send(new Uint8Array(160).fill(1));
    expect(await heard).toHaveLength(172);
    socket.close();
  });
});

describe('closing agent', () => {
  it('hangs up running calls, and rejects ringing and new ones', async () => {
    await establish();
    peer.request({ callId: 'ringing', sdp: offerText });
    await host.call();
    const closing = telephony.close();
    const bye = await peer.requested('BYE');
    await peer.response(503, 'INVITE');
    peer.request({ callId: 'late', sdp: offerText });
    await until(() => peer.count(isStatus(503)) >= 2, 'the late call is refused');
    peer.respond(bye, 200);
    await closing;
    await closing;
    expect(host.ends).toEqual([{ cause: 'local-hangup' }, { cause: 'local-hangup' }]);
  });

  it('closes one second after a BYE that a vanished peer does not answer', async () => {
    await establish();
    let isClosed = false;
    const closing = telephony.close().then(() => {
      isClosed = true;
    });
    await peer.requested('BYE');
    await clock.advance(closeTimeoutMs - 1);
    expect(isClosed).toBe(false);
    await clock.advance(1);
    await closing;
  });
});
