import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseDigestParams } from '../../src/auth/digest-params.ts';
import { answerSdp, Dialing } from '../support/dialing.ts';
import { until } from '../support/until.ts';

let dialing: Dialing;

beforeEach(async () => {
  dialing = await Dialing.open();
});
afterEach(() => dialing.close());

const credentials = { username: 'ann', password: 'secret' };
const challenge = 'WWW-Authenticate: Digest realm="peer", nonce="n1", qop="auth"';

describe('call to a peer that sends a challenge', () => {
  it('repeats the INVITE with credentials, in the same call with the next CSeq', async () => {
    const first = await dialing.dial({ credentials });
    dialing.peer.respond(first, 401, { toTag: 'a', headers: [challenge] });
    await dialing.requested('ACK');
    const second = await dialing.requested('INVITE');
    expect(second.headers.get('CSeq')).toBe('2 INVITE');
    for (const name of ['Call-ID', 'From', 'To']) expect(second.headers.get(name)).toBe(first.headers.get(name));
    expect(second.body).toEqual(first.body);
    dialing.peer.respond(second, 200, { toTag: 'bob', sdp: answerSdp });
    const ack = await dialing.requested('ACK');
    expect(ack.headers.get('CSeq')).toBe('2 ACK');
    expect(ack.headers.get('Authorization')).toBe(second.headers.get('Authorization'));
    expect(dialing.reported).toEqual(['answered']);
  });

  it('uses the Request-URI in the digest, port and transport included', async () => {
    const uri = `sip:bob@127.0.0.1:${dialing.peer.port};transport=udp`;
    dialing.peer.respond(await dialing.dial({ credentials, uri }), 407, {
      toTag: 'a',
      headers: ['Proxy-Authenticate: Digest realm="peer", nonce="n1"'],
    });
    const again = await dialing.requested('INVITE');
    expect(again.uri).toBe(uri);
    expect(parseDigestParams(again.headers.get('Proxy-Authorization') ?? '')?.get('uri')).toBe(uri);
  });

  it('is rejected when the credentials are', async () => {
    dialing.peer.respond(await dialing.dial({ credentials }), 401, { toTag: 'a', headers: [challenge] });
    dialing.peer.respond(await dialing.requested('INVITE'), 401, { toTag: 'a', headers: [challenge] });
    await until(() => dialing.reported.length > 0, 'it is refused');
    expect(dialing.reported).toEqual([{ cause: 'refused', status: 401, reason: 'Because' }]);
    expect(dialing.peer.countRequests('INVITE')).toBe(2);
  });

  it('is rejected at once without credentials', async () => {
    dialing.peer.respond(await dialing.dial(), 407, { toTag: 'a' });
    await until(() => dialing.reported.length > 0, 'it is refused');
    expect(dialing.reported).toEqual([{ cause: 'refused', status: 407, reason: 'Because' }]);
  });

  it('makes a third attempt when the nonce was stale, but stops eventually', async () => {
    let invite = await dialing.dial({ credentials });
    for (let attempt = 1; attempt < 5; attempt++) {
      dialing.peer.respond(invite, 401, { toTag: 'a', headers: [`${challenge}, stale=true`] });
      invite = await dialing.requested('INVITE');
    }
    dialing.peer.respond(invite, 401, { toTag: 'a', headers: [`${challenge}, stale=true`] });
    await until(() => dialing.reported.length > 0, 'it is refused');
  });

  it('is not repeated after it was canceled', async () => {
    const invite = await dialing.dial({ credentials });
    dialing.call?.hangup();
    dialing.peer.respond(invite, 401, { toTag: 'a', headers: [challenge] });
    await until(() => dialing.reported.length > 0, 'it is over');
    await dialing.peer.barrier();
    expect(dialing.reported).toEqual([{ cause: 'local-hangup' }]);
    expect(dialing.peer.countRequests('INVITE')).toBe(1);
  });

  it('cancels with the CSeq of the INVITE that rings', async () => {
    dialing.peer.respond(await dialing.dial({ credentials }), 401, { toTag: 'a', headers: [challenge] });
    const second = await dialing.requested('INVITE');
    dialing.peer.respond(second, 180, { toTag: 'bob' });
    await until(() => dialing.reported.includes('180'), 'it rings');
    dialing.call?.hangup();
    const cancel = await dialing.requested('CANCEL');
    expect(cancel.headers.get('CSeq')).toBe('2 CANCEL');
    expect(cancel.headers.get('Via')).toBe(second.headers.get('Via'));
    dialing.peer.respond(cancel, 200);
    dialing.peer.respond(second, 487, { toTag: 'bob' });
  });

  it('sends credentials in its later requests, with increasing nonce counts', async () => {
    dialing.peer.respond(await dialing.dial({ credentials }), 401, { toTag: 'a', headers: [challenge] });
    dialing.peer.respond(await dialing.requested('INVITE'), 200, { toTag: 'bob', sdp: answerSdp });
    await dialing.requested('ACK');
    await until(() => dialing.reported.includes('answered'), 'it is answered');
    dialing.call?.hangup();
    const bye = await dialing.requested('BYE');
    expect(parseDigestParams(bye.headers.get('Authorization') ?? '')?.get('nc')).toBe('00000002');
    dialing.peer.respond(bye, 200);
  });
});
