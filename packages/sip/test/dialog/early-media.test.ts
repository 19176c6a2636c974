import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answerSdp, Dialing } from '../support/dialing.ts';
import { offerAt } from '../support/messages.ts';
import { bodyOf } from '../support/raw-peer.ts';
import { until } from '../support/until.ts';

let dialing: Dialing;

beforeEach(async () => {
  dialing = await Dialing.open();
});
afterEach(() => dialing.close());

const pracks = () => dialing.peer.countRequests('PRACK');
const reliably = (rseq: number) => ['Require: 100rel', `RSeq: ${rseq}`];

describe('early media', () => {
  it('applies the answer of a 183, which the 200 need not repeat', async () => {
    const invite = await dialing.dial();
    dialing.peer.respond(invite, 183, { toTag: 'bob', sdp: answerSdp });
    await until(() => dialing.reported.includes('early media'), 'it is heard');
    expect(dialing.leg?.agreement?.remote.port).toBe(40_000);
    dialing.peer.respond(invite, 200, { toTag: 'bob' });
    await dialing.requested('ACK');
    expect(dialing.reported).toEqual(['183', 'early media', 'answered']);
  });

  it('follows each branch of a forked call, and finally the one that answers', async () => {
    const invite = await dialing.dial();
    dialing.peer.respond(invite, 183, { toTag: 'bob', sdp: offerAt(41_000).replace('8 0 96', '0 96') });
    dialing.peer.respond(invite, 183, { toTag: 'carol', sdp: offerAt(42_000).replace('8 0 96', '8 96') });
    await until(() => dialing.leg?.agreement?.remote.port === 42_000, 'the later one is heard');
    dialing.peer.respond(invite, 200, { toTag: 'bob' });
    await until(() => dialing.reported.includes('answered'), 'it is answered');
    expect(dialing.leg?.agreement).toMatchObject({ codec: { name: 'pcmu' }, remote: { port: 41_000 } });
  });

  it('may use another codec than the final answer', async () => {
    const invite = await dialing.dial();
    dialing.peer.respond(invite, 183, { toTag: 'bob', sdp: answerSdp });
    dialing.peer.respond(invite, 200, { toTag: 'dave', sdp: answerSdp.replace('0 96', '8 96') });
    await until(() => dialing.reported.includes('answered'), 'it is answered');
    expect(dialing.leg?.agreement?.codec.name).toBe('pcma');
  });

  it('changes nothing when the description is invalid', async () => {
    const invite = await dialing.dial();
    dialing.peer.respond(invite, 183, { toTag: 'bob', sdp: answerSdp.replace('0 96', '9') });
    dialing.peer.respond(invite, 200, { toTag: 'bob', sdp: answerSdp });
    await until(() => dialing.reported.includes('answered'), 'it is answered');
    expect(dialing.reported).toEqual(['183', 'answered']);
  });

  it('moves to the address in an UPDATE of the peer, which is answered', async () => {
    const invite = await dialing.dial();
    dialing.peer.respond(invite, 183, { toTag: 'bob', sdp: answerSdp, headers: reliably(1) });
    dialing.peer.respond(await dialing.requested('PRACK'), 200);
    dialing.request({ method: 'UPDATE', sdp: offerAt(43_000).replace('8 0 96', '0 96') });
    expect(bodyOf(await dialing.peer.response(200, 'UPDATE'))).toContain('RTP/AVP 0 96');
    expect(dialing.leg?.agreement?.remote.port).toBe(43_000);
    dialing.peer.respond(invite, 486, { toTag: 'bob' });
  });
});

describe('reliable provisional response', () => {
  it('is acknowledged within its dialog, with its RSeq and the CSeq of the INVITE', async () => {
    const invite = await dialing.dial();
    expect(invite.headers.list('Supported')).toContain('100rel');
    const route = `Record-Route: <sip:127.0.0.1:${dialing.peer.port};lr>`;
    dialing.peer.respond(invite, 180, { toTag: 'bob', headers: [...reliably(77), route] });
    const prack = await dialing.requested('PRACK');
    expect(prack.uri).toBe(`sip:peer@127.0.0.1:${dialing.peer.port}`);
    expect(prack.headers.get('RAck')).toBe('77 1 INVITE');
    expect(prack.headers.get('CSeq')).toBe('2 PRACK');
    expect(prack.headers.get('To')).toContain('tag=bob');
    expect(prack.headers.get('Route')).toContain(';lr');
    dialing.peer.respond(prack, 200);
    dialing.peer.respond(invite, 200, { toTag: 'bob', sdp: answerSdp });
    await dialing.requested('ACK');
    dialing.call?.hangup();
    const bye = await dialing.requested('BYE');
    expect(bye.headers.get('CSeq')).toBe('3 BYE');
    dialing.peer.respond(bye, 200);
  });

  it('is acknowledged once although it is retransmitted, and only if its RSeq follows the previous one', async () => {
    const invite = await dialing.dial();
    dialing.peer.respond(invite, 183, { toTag: 'bob', headers: reliably(5) });
    dialing.peer.respond(await dialing.requested('PRACK'), 200);
    dialing.peer.respond(invite, 183, { toTag: 'bob', headers: reliably(5) });
    dialing.peer.respond(invite, 180, { toTag: 'bob', headers: reliably(7) });
    await dialing.peer.barrier();
    expect(pracks()).toBe(1);
    dialing.peer.respond(invite, 180, { toTag: 'bob', headers: reliably(6) });
    const prack = await dialing.requested('PRACK');
    expect(prack.headers.get('RAck')).toBe('6 1 INVITE');
    dialing.peer.respond(prack, 200);
    expect(dialing.reported).toEqual(['183', '180']);
    dialing.peer.respond(invite, 486, { toTag: 'bob' });
  });

  it('is numbered separately for each branch of a forked call', async () => {
    const invite = await dialing.dial();
    for (const toTag of ['bob', 'carol']) {
      dialing.peer.respond(invite, 180, { toTag, headers: reliably(9) });
      const prack = await dialing.requested('PRACK');
      expect(prack.headers.get('To')).toContain(`tag=${toTag}`);
      dialing.peer.respond(prack, 200);
    }
    dialing.peer.respond(invite, 486, { toTag: 'bob' });
  });
});
