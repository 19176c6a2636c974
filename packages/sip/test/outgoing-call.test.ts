import { systemClock, systemRandom } from '@va/core/adapter';
import { RtpLeg } from '@va/media';
import { silentLogger, VirtualClock } from '@va/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { targetOf } from '../src/dialog/dialog.ts';
import type { OutgoingEnd, OutgoingInvite } from '../src/dialog/invite/outgoing-invite.ts';
import { RtpSession } from '../src/media/rtp-session.ts';
import { parseNameAddr } from '../src/message/name-addr.ts';
import { UserAgent } from '../src/user-agent.ts';
import { offerText } from './support/messages.ts';
import { bodyOf, RawPeer } from './support/raw-peer.ts';
import { until } from './support/until.ts';

let clock: VirtualClock;
let agent: UserAgent;
let peer: RawPeer;
let reported: (string | OutgoingEnd)[];

const answerSdp = offerText.replace('8 0 96', '0 96');

beforeEach(async () => {
  reported = [];
  clock = new VirtualClock();
  peer = await RawPeer.open();
  agent = await UserAgent.open({
    clock,
    random: systemRandom,
    logger: silentLogger,
    listen: ['udp://127.0.0.1:0'],
    timers: { t1Ms: 20, t2Ms: 80, t4Ms: 100 },
  });
});
afterEach(async () => {
  peer.agreeToEveryBye();
  await agent.close();
  await peer.close();
});

async function dial(): Promise<OutgoingInvite> {
  const uri = `sip:bob@127.0.0.1:${peer.port}`;
  const target = targetOf(uri);
  const flow = target && agent.flowTo(target);
  const [from, to] = [parseNameAddr('"Ann" <sip:ann@127.0.0.1>'), parseNameAddr(`<${uri}>`)];
  if (!flow || !from || !to) throw new Error('no flow to the peer');
  const leg = await RtpLeg.open({ clock: systemClock, random: systemRandom, address: '127.0.0.1' });
  const media = new RtpSession({ leg, codecs: ['pcmu', 'pcma'], address: '127.0.0.1', random: systemRandom });
  return agent.invite(
    { uri, from, to, flow, media, headers: [['X-Campaign', '7']] },
    {
      onProgress: (status) => reported.push(String(status)),
      onAnswered: () => reported.push('answered'),
      onEnd: (end) => reported.push(end),
    },
  );
}

describe('outgoing call', () => {
  it('offers both codecs, rings, is answered and acknowledged, and is hung up locally', async () => {
    const call = await dial();
    const invite = await peer.requested('INVITE');
    expect(bodyOf(invite)).toContain('RTP/AVP 0 8 101\r\n');
    expect(invite.headers.get('X-Campaign')).toBe('7');
    peer.respond(invite, 180, { toTag: 'bob' });
    peer.respond(invite, 200, { toTag: 'bob', sdp: answerSdp });
    const ack = await peer.requested('ACK');
    expect(ack.headers.get('To')).toContain('tag=bob');
    expect(ack.headers.get('CSeq')).toBe('1 ACK');
    expect(reported).toEqual(['180', 'answered']);
    call.hangup();
    const bye = await peer.requested('BYE');
    expect(bye.headers.get('CSeq')).toBe('2 BYE');
    peer.respond(bye, 200);
    expect(reported.at(-1)).toEqual({ cause: 'local-hangup' });
  });

  it('retransmits the INVITE until a response arrives', async () => {
    await dial();
    await peer.requested('INVITE');
    await clock.advance(20);
    const again = await peer.repeated('INVITE');
    peer.respond(again, 100);
    await peer.barrier();
    await clock.advance(1_000);
    await peer.barrier();
    expect(peer.received).toHaveLength(2);
    peer.respond(again, 486, { toTag: 'bob' });
    await peer.requested('ACK');
  });

  it('acknowledges a retransmitted answer with the same ACK', async () => {
    await dial();
    const invite = await peer.requested('INVITE');
    peer.respond(invite, 200, { toTag: 'bob', sdp: answerSdp });
    const first = await peer.requested('ACK');
    peer.respond(invite, 200, { toTag: 'bob', sdp: answerSdp });
    const second = await peer.requested('ACK');
    expect(second.headers.get('Via')).toBe(first.headers.get('Via'));
    expect(reported).toEqual(['answered']);
  });

  it('hangs up the second of two answers of a forked call', async () => {
    await dial();
    const invite = await peer.requested('INVITE');
    peer.respond(invite, 200, { toTag: 'bob', sdp: answerSdp });
    peer.respond(invite, 200, { toTag: 'carol', sdp: answerSdp });
    const bye = await peer.requested('BYE');
    expect(bye.headers.get('To')).toContain('tag=carol');
    peer.respond(bye, 200);
    expect(reported).toEqual(['answered']);
  });

  it('reports a rejection, and acknowledges it', async () => {
    await dial();
    peer.respond(await peer.requested('INVITE'), 486, { toTag: 'bob' });
    await peer.requested('ACK');
    expect(reported).toEqual([{ cause: 'refused', status: 486, reason: 'Because' }]);
  });

  it('sends a CANCEL that matches its INVITE', async () => {
    const call = await dial();
    const invite = await peer.requested('INVITE');
    peer.respond(invite, 180, { toTag: 'bob' });
    await until(() => reported.includes('180'), 'it rings');
    call.hangup();
    const cancel = await peer.requested('CANCEL');
    expect(cancel.headers.get('Via')).toBe(invite.headers.get('Via'));
    peer.respond(cancel, 200);
    peer.respond(invite, 487, { toTag: 'bob' });
    await peer.requested('ACK');
    expect(reported).toEqual(['180', { cause: 'local-hangup' }]);
  });

  it('delays the CANCEL until a provisional response', async () => {
    const call = await dial();
    const invite = await peer.requested('INVITE');
    call.hangup();
    await peer.barrier();
    expect(peer.countRequests('CANCEL')).toBe(0);
    peer.respond(invite, 100);
    await peer.requested('CANCEL');
    peer.respond(invite, 487, { toTag: 'bob' });
    await peer.requested('ACK');
  });

  it('is hung up when the answer crosses its CANCEL', async () => {
    const call = await dial();
    const invite = await peer.requested('INVITE');
    peer.respond(invite, 180, { toTag: 'bob' });
    await until(() => reported.includes('180'), 'it rings');
    call.hangup();
    peer.respond(invite, 200, { toTag: 'bob', sdp: answerSdp });
    await peer.requested('ACK');
    peer.respond(await peer.requested('BYE'), 200);
    expect(reported).toEqual(['180', { cause: 'local-hangup' }]);
  });

  it('ends when the answer has no common media', async () => {
    await dial();
    const invite = await peer.requested('INVITE');
    peer.respond(invite, 200, { toTag: 'bob', sdp: offerText.replace('8 0 96', '9') });
    await peer.requested('ACK');
    peer.respond(await peer.requested('BYE'), 200);
    expect(reported).toEqual([{ cause: 'refused', status: 488, reason: expect.any(String) }]);
  });

  it('ends with a transport error, not a statement about the callee, when nothing responds', async () => {
    await dial();
    await clock.advance(64 * 20);
    expect(reported).toEqual([
      { cause: 'transport-error', message: expect.stringContaining('The peer did not respond') },
    ]);
  });

  it('is rejected when the network responds 408', async () => {
    await dial();
    peer.respond(await peer.requested('INVITE'), 408, { toTag: 'bob' });
    await peer.requested('ACK');
    expect(reported).toEqual([{ cause: 'refused', status: 408, reason: 'Because' }]);
  });

  it('ends when the peer hangs up, and the BYE is answered', async () => {
    await dial();
    const invite = await peer.requested('INVITE');
    peer.respond(invite, 200, { toTag: 'bob', sdp: answerSdp });
    await peer.requested('ACK');
    const fromTag = /tag=(\w+)/.exec(invite.headers.get('From') ?? '')?.[1] ?? '';
    peer.request({ method: 'BYE', callId: invite.headers.get('Call-ID') ?? '', fromTag: 'bob', toTag: fromTag });
    await peer.response(200, 'BYE');
    expect(reported).toEqual(['answered', { cause: 'remote-hangup' }]);
  });
});
