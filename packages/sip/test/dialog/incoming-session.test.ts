import { createSocket } from 'node:dgram';
import { type Clock, systemClock, systemRandom } from '@va/core/adapter';
import { RtpLeg, writeRtp } from '@va/media';
import { silentLogger, VirtualClock } from '@va/testkit';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { DigestClient } from '../../src/auth/digest-client.ts';
import { DigestServer } from '../../src/auth/digest-server.ts';
import type { IncomingInvite, InviteEnd, InviteListener } from '../../src/dialog/invite/incoming-invite.ts';
import type { IncomingRefer } from '../../src/dialog/session/incoming-refer.ts';
import { RtpSession } from '../../src/media/rtp-session.ts';
import type { SipMessage } from '../../src/message/message.ts';
import { UserAgent } from '../../src/user-agent.ts';
import { offerAt, offerText, parsedRequest, requestText } from '../support/messages.ts';
import { bodyOf, RawPeer, toTagOf } from '../support/raw-peer.ts';
import { until } from '../support/until.ts';

let agent: UserAgent;
let peer: RawPeer;
let invites: IncomingInvite[];
let ends: InviteEnd[];
let digits: string[];
let leg: RtpLeg | undefined;
let onInvite: (invite: IncomingInvite) => void;

async function start(clock: Clock = systemClock): Promise<void> {
  agent = await UserAgent.open({
    clock,
    random: systemRandom,
    logger: silentLogger,
    listen: ['udp://127.0.0.1:0'],
    timers: { t1Ms: 20, t2Ms: 80, t4Ms: 100 },
    onInvite: (invite) => {
      invites.push(invite);
      onInvite(invite);
    },
  });
  peer = await RawPeer.open(agent.addresses[0]?.port);
}

async function stop(): Promise<void> {
  peer.agreeToEveryBye();
  await agent.close();
  await peer.close();
}

beforeEach(async () => {
  [invites, ends, digits, leg] = [[], [], [], undefined];
  onInvite = () => {};
  await start();
});
afterEach(stop);

const isStatus = (status: number) => (message: SipMessage) => message.kind === 'response' && message.status === status;

async function accept(invite: IncomingInvite, listener: Partial<InviteListener> = {}): Promise<void> {
  invite.listen({ onConfirmed() {}, onEnd: (end) => ends.push(end), ...listener });
  const opened = await RtpLeg.open({ clock: systemClock, random: systemRandom, address: '127.0.0.1' });
  opened.onDtmf(({ digit }) => digits.push(digit));
  leg = opened;
  invite.accept(new RtpSession({ leg: opened, codecs: ['pcmu', 'pcma'], address: '127.0.0.1', random: systemRandom }));
}

/** Answers a call with those header lines, and returns the local tag. */
async function establish(headers: readonly string[] = [], listener: Partial<InviteListener> = {}): Promise<string> {
  onInvite = (invite) => void accept(invite, listener);
  peer.request({ sdp: offerText, headers });
  const toTag = toTagOf(await peer.response(200, 'INVITE'));
  peer.request({ method: 'ACK', toTag, branch: 'z9hG4bK-ack' });
  return toTag;
}

describe('caller that requires 100rel', () => {
  async function ring(): Promise<{ toTag: string; rseq: string }> {
    onInvite = (invite) => invite.ring();
    peer.request({ sdp: offerText, headers: ['Require: 100rel'] });
    const ringing = await peer.response(180);
    expect(ringing.headers.get('Require')).toBe('100rel');
    return { toTag: toTagOf(ringing), rseq: ringing.headers.get('RSeq') ?? '' };
  }

  const prack = (toTag: string, rack: string, cseq = 2) =>
    peer.request({ method: 'PRACK', cseq, toTag, headers: [`RAck: ${rack}`] });

  it('receives retransmissions of the 180 until its PRACK', async () => {
    const clock = new VirtualClock();
    await stop();
    await start(clock);
    const { toTag, rseq } = await ring();
    await clock.advance(20);
    const again = await peer.repeatedResponse(180, 'INVITE');
    expect(again.headers.get('RSeq')).toBe(rseq);
    prack(toTag, `${rseq} 1 INVITE`);
    await peer.response(200, 'PRACK');
    await clock.advance(1_000);
    await peer.barrier();
    expect(peer.count(isStatus(180))).toBe(2);
    invites[0]?.reject(486);
    await peer.response(486);
  });

  it('gets 481 for a PRACK that matches no response', async () => {
    const { toTag, rseq } = await ring();
    prack(toTag, `${Number(rseq) + 1} 1 INVITE`);
    await peer.response(481, 'PRACK');
    prack(toTag, 'garbage', 3);
    await peer.response(481, 'PRACK');
    prack(toTag, `${rseq} 1 INVITE`, 4);
    await peer.response(200, 'PRACK');
    prack(toTag, `${rseq} 1 INVITE`, 5);
    await peer.response(481, 'PRACK');
    invites[0]?.reject(486);
  });

  it('may send its PRACK after the answer', async () => {
    const { toTag, rseq } = await ring();
    const [invite] = invites;
    if (invite) await accept(invite);
    await peer.response(200, 'INVITE');
    prack(toTag, `${rseq} 1 INVITE`);
    await peer.response(200, 'PRACK');
    peer.request({ method: 'ACK', toTag, branch: 'z9hG4bK-ack' });
  });

  it('gets 504 when it never sends a PRACK', async () => {
    onInvite = (invite) => {
      invite.listen({ onConfirmed() {}, onEnd: (end) => ends.push(end) });
      invite.ring();
    };
    peer.request({ sdp: offerText, headers: ['Require: 100rel'] });
    await peer.response(504);
    expect(ends).toEqual([{ cause: 'local-hangup' }]);
  });

  it('may hang up while it rings, and gets 500 for an early UPDATE', async () => {
    const { toTag } = await ring();
    peer.request({ method: 'UPDATE', cseq: 2, toTag, sdp: offerText });
    expect((await peer.response(500, 'UPDATE')).headers.get('Retry-After')).toBe('1');
    peer.request({ method: 'BYE', cseq: 3, toTag });
    await peer.response(200, 'BYE');
    await peer.response(487, 'INVITE');
  });
});

describe('caller that renegotiates', () => {
  it('moves by UPDATE and by re-INVITE, and can hold and resume, also with a null address', async () => {
    const toTag = await establish();
    const moved = offerAt(41_000);
    const steps = [
      [moved, 'a=sendrecv', 41_000],
      [moved.replace('c=IN IP4 127.0.0.1', 'c=IN IP4 0.0.0.0'), 'a=recvonly', 41_000],
      [moved, 'a=sendrecv', 41_000],
      [`${offerAt(42_000, '')}a=sendonly\n`, 'a=recvonly', 42_000],
      [offerAt(42_000), 'a=sendrecv', 42_000],
    ] as const;
    for (const [index, [sdp, direction, port]] of steps.entries()) {
      for (const method of ['UPDATE', 'INVITE']) {
        const cseq = 2 + index * 2 + (method === 'UPDATE' ? 0 : 1);
        peer.request({ method, cseq, toTag, sdp });
        expect(bodyOf(await peer.response(200, method))).toContain(direction);
        if (method === 'INVITE') peer.request({ method: 'ACK', cseq, toTag, branch: `z9hG4bK-ack-${cseq}` });
      }
      expect(leg?.agreement?.remote.port).toBe(port);
    }
    expect(leg?.agreement?.remote.address).toBe('127.0.0.1');
    expect(ends).toEqual([]);
  });

  it('may request an offer', async () => {
    const toTag = await establish();
    peer.request({ cseq: 2, toTag });
    expect(bodyOf(await peer.response(200, 'INVITE'))).toMatch(/m=audio \d+ RTP\/AVP 8 101/);
    peer.request({ method: 'UPDATE', cseq: 3, toTag, sdp: offerText });
    await peer.response(491, 'UPDATE');
    peer.request({
      method: 'ACK',
      cseq: 2,
      toTag,
      branch: 'z9hG4bK-a2',
      sdp: offerAt(43_000).replace('8 0 96', '8 101'),
    });
    await until(() => leg?.agreement?.remote.port === 43_000, 'the answer in the ACK counts');
  });

  it('gets 488 for an UPDATE without a supported codec', async () => {
    const toTag = await establish();
    peer.request({ method: 'UPDATE', cseq: 2, toTag, sdp: offerText.replace('8 0 96', '18') });
    expect((await peer.response(488, 'UPDATE')).headers.get('Warning')).toMatch(/^30/);
    peer.request({ method: 'UPDATE', cseq: 3, toTag, body: { type: 'text/plain', text: 'hello' } });
    await peer.response(415, 'UPDATE');
  });
});

describe('caller that sends DTMF by INFO', () => {
  it.each([
    ['application/dtmf-relay', 'Signal=5\r\nDuration=160\r\n', ['5']],
    ['application/dtmf-relay', 'signal = *\nduration = x', ['*']],
    ['application/dtmf-relay;charset=utf-8', 'Signal=11', ['#']],
    ['application/dtmf', 'a', ['A']],
    ['application/dtmf', '9\r\n', ['9']],
    ['application/dtmf-relay', 'Signal=77', []],
    ['application/media_control+xml', '5', []],
  ])('is understood with %s %j', async (type, text, expected) => {
    const toTag = await establish();
    peer.request({ method: 'INFO', cseq: 2, toTag, body: { type, text } });
    await peer.response(200, 'INFO');
    expect(digits).toEqual(expected);
  });
});

describe('caller that requests a transfer', () => {
  it('gets 603 when the call has no listener for transfers, and 400 without a Refer-To', async () => {
    const toTag = await establish();
    peer.request({ method: 'REFER', cseq: 2, toTag, headers: ['Refer-To: <sip:carol@127.0.0.1>'] });
    await peer.response(603, 'REFER');
    peer.request({ method: 'REFER', cseq: 3, toTag });
    await peer.response(400, 'REFER');
  });

  it('is notified of its progress', async () => {
    let refer: IncomingRefer | undefined;
    const toTag = await establish([], {
      onRefer: (each) => {
        refer = each;
        each.accept();
      },
    });
    const headers = ['Refer-To: <sip:carol@127.0.0.1?X=1>', 'Referred-By: <sip:ann@127.0.0.1>'];
    peer.request({ method: 'REFER', cseq: 2, toTag, headers });
    await peer.response(202, 'REFER');
    const trying = await peer.requested('NOTIFY');
    expect(trying.headers.get('Event')).toBe('refer;id=2');
    expect(bodyOf(trying)).toBe('SIP/2.0 100 Trying\r\n');
    peer.respond(trying, 200);
    expect([refer?.target, refer?.referredBy]).toEqual(['sip:carol@127.0.0.1?X=1', '<sip:ann@127.0.0.1>']);
    refer?.progress(486);
    refer?.progress(200);
    const busy = await peer.requested('NOTIFY');
    expect(busy.headers.get('Subscription-State')).toBe('terminated;reason=noresource');
    expect(bodyOf(busy)).toBe('SIP/2.0 486 Busy Here\r\n');
    peer.respond(busy, 200);
    await peer.barrier();
    expect(peer.countRequests('NOTIFY')).toBe(2);
  });

  it('gets no notification when it declines the subscription', async () => {
    const toTag = await establish([], { onRefer: (refer) => refer.accept() });
    const headers = ['Refer-To: <sip:carol@127.0.0.1>', 'Refer-Sub: false', 'Require: norefersub'];
    peer.request({ method: 'REFER', cseq: 2, toTag, headers });
    expect((await peer.response(202, 'REFER')).headers.get('Refer-Sub')).toBe('false');
    await peer.barrier();
    expect(peer.count((message) => message.kind === 'request')).toBe(0);
  });
});

/** Sends a frame of that byte to the call every 20 ms, and has the call send one back, until the test is over. */
async function speaker(byte: number): Promise<{ readonly port: number; readonly received: number }> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => void socket.bind(0, '127.0.0.1', resolve));
  let [sequence, received] = [0, 0];
  socket.on('message', () => {
    received += 1;
  });
  const talking = setInterval(() => {
    sequence += 1;
    const [payload, timestamp] = [new Uint8Array(160).fill(byte), sequence * 160];
    const packet = { marker: false, payloadType: 8, sequence, timestamp, ssrc: byte, payload };
    // The call has not been answered yet, or has ended.
    if (leg === undefined || leg.port === 0) return;
    socket.send(writeRtp(packet), leg.port, '127.0.0.1');
    leg.send(new Uint8Array(160));
  }, 20);
  onTestFinished(() => {
    clearInterval(talking);
    socket.close();
  });
  return {
    port: socket.address().port,
    get received() {
      return received;
    },
  };
}

describe('call with Replaces', () => {
  const replacing = (toTag: string, more = '') => ({
    callId: 'call-2',
    fromTag: 'carol',
    sdp: offerAt(44_000, ''),
    headers: [`Replaces: call-1;to-tag=${toTag};from-tag=ann${more}`],
  });

  it('takes over media and listener, and the replaced call is hung up', async () => {
    const toTag = await establish();
    peer.request(replacing(toTag));
    const ok = await peer.response(200, 'INVITE');
    peer.request({ method: 'ACK', callId: 'call-2', fromTag: 'carol', toTag: toTagOf(ok), branch: 'z9hG4bK-ack2' });
    const bye = await peer.requested('BYE');
    expect(bye.headers.get('Call-ID')).toBe('call-1');
    peer.respond(bye, 200);
    expect(leg?.agreement?.remote.port).toBe(44_000);
    expect([invites.length, ends]).toEqual([1, []]);
    invites[0]?.hangup();
    const second = await peer.requested('BYE');
    expect(second.headers.get('Call-ID')).toBe('call-2');
    peer.respond(second, 200);
    expect(ends).toEqual([{ cause: 'local-hangup' }]);
  });

  it('exchanges audio with the replacing party, and ignores the replaced one', async () => {
    const heard: number[] = [];
    const [before, after] = [await speaker(1), await speaker(2)];
    onInvite = (invite) => void accept(invite).then(() => leg?.onFrame((frame) => void heard.push(frame?.[80] ?? 0)));
    peer.request({ sdp: offerAt(before.port, '') });
    const toTag = toTagOf(await peer.response(200, 'INVITE'));
    peer.request({ method: 'ACK', toTag, branch: 'z9hG4bK-ack' });
    await until(() => heard.includes(1), 'the first party is heard');
    peer.request({ ...replacing(toTag), sdp: offerAt(after.port, '') });
    await until(() => heard.includes(2), 'the second party is heard');
    const replacedAt = heard.indexOf(2);
    await until(() => heard.length > replacedAt + 20, 'both parties have sent on');
    expect(heard.slice(0, replacedAt)).not.toContain(2);
    expect(heard.slice(replacedAt)).not.toContain(1);
    await until(() => after.received > 5, 'the second party is sent audio');
  });

  it.each([
    ['an unknown call', 'nobody', '', 481],
    ['a call that must still ring', null, ';early-only', 486],
    ['a malformed value', 'x y', ';', 400],
  ])('is rejected for %s', async (_, tag, more, status) => {
    const toTag = await establish();
    peer.request(replacing(tag ?? toTag, more));
    await peer.response(status, 'INVITE');
    expect(ends).toEqual([]);
  });

  it('is rejected without a supported codec, and changes nothing', async () => {
    const toTag = await establish();
    peer.request({ ...replacing(toTag), sdp: offerAt(44_000, '').replace('8 0 96', '18') });
    await peer.response(488, 'INVITE');
    expect(leg?.agreement?.remote.port).toBe(40_000);
    expect(ends).toEqual([]);
  });
});

describe('caller that must authenticate', () => {
  it('is challenged, returns with credentials, and cannot share them with others', async () => {
    const server = new DigestServer({ clock: systemClock, random: systemRandom, realm: 'va' });
    const users: (string | null)[] = [];
    onInvite = async (invite) => {
      const user = await invite.requireDigest(server, (name) => (name === 'ann' ? 'secret' : null));
      users.push(user);
      if (user !== null) invite.reject(486);
    };
    peer.request({ sdp: offerText });
    const challenge = await peer.response(401);
    expect(challenge.headers.all('WWW-Authenticate')).toHaveLength(2);
    peer.request({ method: 'ACK', toTag: toTagOf(challenge), branch: 'z9hG4bK-call-1-1-INVITE' });
    const client = new DigestClient({ username: 'ann', password: 'secret' }, systemRandom);
    client.take(challenge, new Set());
    const request = client.authorize(parsedRequest(requestText({ cseq: 2, sdp: offerText })));
    const headers = [`Authorization: ${request.headers.get('Authorization')}`];
    peer.request({ cseq: 2, sdp: offerText, headers });
    await peer.response(486);
    peer.request({ callId: 'thief', sdp: offerText, headers });
    // The first 401 may have been retransmitted before its ACK arrived.
    const isThiefs = (message: SipMessage): boolean =>
      message.kind === 'response' && message.status === 401 && message.headers.get('Call-ID') === 'thief';
    await until(() => peer.count(isThiefs) > 0, 'the thief is refused');
    expect(peer.received.find(isThiefs)?.headers.get('WWW-Authenticate')).toContain('stale=true');
    expect(users).toEqual([null, 'ann', null]);
  });
});

describe('caller that requests a session timer', () => {
  it('gets 422 with Min-SE when its interval is too short', async () => {
    peer.request({ sdp: offerText, headers: ['Supported: timer', 'Session-Expires: 60'] });
    expect((await peer.response(422)).headers.get('Min-SE')).toBe('90');
    expect(invites).toHaveLength(0);
  });

  it('gets the agreed interval in the answer', async () => {
    onInvite = (invite) => void accept(invite);
    peer.request({ sdp: offerText, headers: ['Supported: timer', 'Session-Expires: 1800', 'Min-SE: 90'] });
    const ok = await peer.response(200, 'INVITE');
    expect(ok.headers.get('Session-Expires')).toBe('1800;refresher=uac');
    expect(ok.headers.get('Require')).toBe('timer');
    peer.request({ method: 'ACK', toTag: toTagOf(ok), branch: 'z9hG4bK-ack' });
  });
});
