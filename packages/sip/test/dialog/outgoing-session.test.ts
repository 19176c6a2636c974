import { type RandomBytes, systemRandom } from '@va/core/adapter';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answerSdp, Dialing } from '../support/dialing.ts';
import { bodyOf } from '../support/raw-peer.ts';
import { until } from '../support/until.ts';

let dialing: Dialing;

beforeEach(async () => {
  dialing = await Dialing.open();
});
afterEach(() => dialing.close());

const invites = () => dialing.peer.countRequests('INVITE');

describe('hold', () => {
  it('offers sendonly, and sendrecv to resume', async () => {
    await dialing.connect();
    const session = dialing.call?.session;
    const held = session?.hold(true);
    const hold = await dialing.requested('INVITE');
    expect(bodyOf(hold)).toContain('a=sendonly');
    expect(hold.headers.get('CSeq')).toBe('2 INVITE');
    dialing.peer.respond(hold, 200, { sdp: `${answerSdp}a=recvonly\n` });
    expect((await dialing.requested('ACK')).headers.get('CSeq')).toBe('2 ACK');
    expect(await held).toBe(true);
    expect(dialing.leg?.agreement?.direction).toBe('sendonly');
    const resumed = session?.hold(false);
    const resume = await dialing.requested('INVITE');
    expect(bodyOf(resume)).toContain('a=sendrecv');
    dialing.peer.respond(resume, 200, { sdp: answerSdp });
    expect(await resumed).toBe(true);
    expect(dialing.leg?.agreement?.direction).toBe('sendrecv');
  });

  it("answers the peer's offers with sendonly meanwhile", async () => {
    await dialing.connect();
    const held = dialing.call?.session?.hold(true);
    dialing.peer.respond(await dialing.requested('INVITE'), 200, { sdp: `${answerSdp}a=recvonly\n` });
    await held;
    dialing.request({ cseq: 5, sdp: answerSdp });
    expect(bodyOf(await dialing.peer.response(200, 'INVITE'))).toContain('a=sendonly');
    dialing.request({ method: 'ACK', cseq: 5, branch: 'z9hG4bKack5' });
  });

  it('changes nothing when the peer rejects it', async () => {
    await dialing.connect();
    const held = dialing.call?.session?.hold(true);
    dialing.peer.respond(await dialing.requested('INVITE'), 488);
    expect(await held).toBe(false);
    expect(dialing.reported).toEqual(['answered']);
    dialing.request({ cseq: 5, sdp: answerSdp });
    expect(bodyOf(await dialing.peer.response(200, 'INVITE'))).toContain('a=sendrecv');
    dialing.request({ method: 'ACK', cseq: 5, branch: 'z9hG4bKack5' });
  });

  it('acknowledges each retransmission of the answer', async () => {
    await dialing.connect();
    void dialing.call?.session?.hold(true);
    const hold = await dialing.requested('INVITE');
    for (let i = 0; i < 2; i++) {
      dialing.peer.respond(hold, 200, { sdp: answerSdp });
      expect((await dialing.requested('ACK')).headers.get('CSeq')).toBe('2 ACK');
    }
  });

  it('ends a call that the peer no longer knows', async () => {
    await dialing.connect();
    const held = dialing.call?.session?.hold(true);
    dialing.peer.respond(await dialing.requested('INVITE'), 481);
    expect(await held).toBe(false);
    dialing.peer.respond(await dialing.requested('BYE'), 200);
    expect(dialing.reported.at(-1)).toMatchObject({ cause: 'transport-error' });
  });
});

describe('two colliding re-INVITEs', () => {
  it('are both rejected, and the caller repeats its own after at most 4 s', async () => {
    await dialing.close();
    // The largest random share of the delay, which is a single byte.
    const random: RandomBytes = (count) => (count === 1 ? Uint8Array.of(255) : systemRandom(count));
    dialing = await Dialing.open({ random });
    await dialing.connect();
    const held = dialing.call?.session?.hold(true);
    const ours = await dialing.requested('INVITE');
    dialing.request({ cseq: 5, sdp: answerSdp });
    await dialing.peer.response(491, 'INVITE');
    dialing.request({ method: 'ACK', cseq: 5, branch: 'z9hG4bK-x' });
    dialing.peer.respond(ours, 491);
    await dialing.requested('ACK');
    await dialing.clock.advance(3_999);
    await dialing.peer.barrier();
    expect(invites()).toBe(2);
    await dialing.clock.advance(1);
    dialing.peer.respond(await dialing.requested('INVITE'), 200, { sdp: answerSdp });
    expect(await held).toBe(true);
  });
});

describe('peer with an unreachable Contact', () => {
  it('is reached at the source of its packets', async () => {
    const invite = await dialing.dial();
    const { peer } = dialing;
    const text = [
      'SIP/2.0 200 OK',
      ...['Via', 'From', 'Call-ID', 'CSeq'].map((name) => `${name}: ${invite.headers.get(name)}`),
      `To: ${invite.headers.get('To')};tag=bob`,
      'Contact: <sip:bob@172.17.0.2:5060>',
      'Content-Type: application/sdp',
    ];
    peer.send(`${text.join('\n')}\n\n${answerSdp}`);
    expect((await dialing.requested('ACK')).uri).toBe('sip:bob@172.17.0.2:5060');
    await until(() => dialing.reported.includes('answered'), 'it is answered');
    dialing.call?.hangup();
    peer.respond(await dialing.requested('BYE'), 200);
  });
});

describe('outgoing call with Replaces', () => {
  it("identifies the replaced call with the tags of the peer's view", async () => {
    await dialing.connect();
    const { callId, localTag } = dialing.call?.session?.dialog ?? { callId: '', localTag: '' };
    const replaces = dialing.call?.session;
    if (!replaces) throw new Error('no call');
    const second = await dialing.dial({ replaces });
    expect(second.headers.get('Replaces')).toBe(`${callId};to-tag=bob;from-tag=${localTag}`);
    expect(second.headers.list('Require')).toContain('replaces');
    dialing.peer.respond(second, 603, { toTag: 'b2' });
    await until(() => dialing.reported.length > 1, 'it is refused');
  });
});

describe('RFC 2543 peer that keeps ringing after a CANCEL', () => {
  it('cannot delay the end of the call by more than 64*T1', async () => {
    const invite = await dialing.dial();
    dialing.peer.respond(invite, 180, { toTag: 'bob' });
    await until(() => dialing.reported.includes('180'), 'it rings');
    dialing.call?.hangup();
    dialing.peer.respond(await dialing.requested('CANCEL'), 200);
    await dialing.peer.barrier();
    expect(dialing.reported).toEqual(['180']);
    await dialing.clock.advance(64 * 20);
    expect(dialing.reported[1]).toEqual({ cause: 'local-hangup' });
  });
});
