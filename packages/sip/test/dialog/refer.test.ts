import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ReferOptions, ReferOutcome } from '../../src/dialog/session/outgoing-refer.ts';
import type { SipRequest } from '../../src/message/message.ts';
import { Dialing } from '../support/dialing.ts';
import { until } from '../support/until.ts';

let dialing: Dialing;

beforeEach(async () => {
  dialing = await Dialing.open();
  await dialing.connect();
});
afterEach(() => dialing.close());

let outcome: ReferOutcome | null;
let cseq: number;

/** Requests a transfer, and returns the REFER that the peer received. */
async function refer(options: ReferOptions = {}): Promise<SipRequest> {
  outcome = null;
  cseq = 10;
  void dialing.call?.session?.refer('sip:carol@example.com', options).then((each) => {
    outcome = each;
    dialing.reported.push(each.type);
  });
  return dialing.requested('REFER');
}

function notify(fragment: string, state = 'active;expires=60'): void {
  cseq += 1;
  dialing.request({
    method: 'NOTIFY',
    cseq,
    headers: ['Event: refer', `Subscription-State: ${state}`],
    body: { type: 'message/sipfrag;version=2.0', text: `${fragment}\r\n` },
  });
}

describe('outgoing REFER', () => {
  it('follows the transfer to its final notification', async () => {
    const request = await refer({ referredBy: 'sip:agent@example.com' });
    expect(request.headers.get('Refer-To')).toBe('<sip:carol@example.com>');
    expect(request.headers.get('Referred-By')).toBe('<sip:agent@example.com>');
    expect(request.headers.get('Contact')).toContain('sip:');
    dialing.peer.respond(request, 202);
    for (const fragment of ['SIP/2.0 100 Trying', 'SIP/2.0 180 Ringing']) {
      notify(fragment);
      await dialing.peer.response(200, 'NOTIFY');
    }
    expect(outcome).toBeNull();
    notify('SIP/2.0 200 OK', 'terminated;reason=noresource');
    await dialing.peer.response(200, 'NOTIFY');
    await until(() => outcome !== null, 'it is done');
    expect(outcome).toEqual({ type: 'accepted' });
    notify('SIP/2.0 200 OK', 'terminated;reason=noresource');
    await dialing.peer.response(200, 'NOTIFY');
  });

  it('is rejected when the target is busy, and the call continues', async () => {
    dialing.peer.respond(await refer(), 202);
    notify('SIP/2.0 100 Trying');
    notify('SIP/2.0 486 Busy Here', 'terminated;reason=noresource');
    await until(() => outcome !== null, 'it is done');
    expect(outcome).toEqual({ type: 'refused', status: 486, reason: 'Busy Here' });
    expect(dialing.reported).toEqual(['answered', 'refused']);
  });

  it.each([403, 405, 420, 501, 603])(
    'is rejected when the network does not support REFER and responds %i',
    async (status) => {
      dialing.peer.respond(await refer(), status);
      await until(() => outcome !== null, 'it is refused');
      expect(outcome).toEqual({ type: 'refused', status, reason: 'Because' });
    },
  );

  it('fails when nothing responds', async () => {
    await refer();
    await dialing.clock.advance(64 * 20);
    expect(outcome).toMatchObject({ type: 'failed' });
  });

  it('succeeds when the peer hangs up after 202 and before any NOTIFY; the end is reported last', async () => {
    dialing.peer.respond(await refer(), 202);
    dialing.request({ method: 'BYE', cseq: 11 });
    await dialing.peer.response(200, 'BYE');
    await dialing.clock.advance(0);
    expect(dialing.reported).toEqual(['answered', 'accepted', { cause: 'remote-hangup' }]);
  });

  it('does not succeed when the peer hangs up before 202', async () => {
    await refer();
    dialing.request({ method: 'BYE', cseq: 11 });
    await dialing.peer.response(200, 'BYE');
    await dialing.clock.advance(0);
    expect(dialing.reported).toEqual(['answered', 'failed', { cause: 'remote-hangup' }]);
  });

  it('accepts a NOTIFY that arrives before the response', async () => {
    const request = await refer();
    notify('SIP/2.0 100 Trying');
    await dialing.peer.response(200, 'NOTIFY');
    dialing.peer.respond(request, 202);
    notify('SIP/2.0 200 OK', 'terminated');
    await until(() => outcome?.type === 'accepted', 'it is done');
  });

  it('succeeds at once when the peer declines the subscription', async () => {
    dialing.peer.respond(await refer(), 200, { headers: ['Refer-Sub: false'] });
    await until(() => outcome?.type === 'accepted', 'it is done');
  });

  it.each([
    ['ends the subscription without an outcome', () => notify('SIP/2.0 100 Trying', 'terminated;reason=timeout')],
    ['sends a malformed final notification', () => notify('hello', 'terminated')],
  ])('fails when the peer %s', async (_, send) => {
    dialing.peer.respond(await refer(), 202);
    send();
    await dialing.peer.response(200, 'NOTIFY');
    await until(() => outcome?.type === 'failed', 'it is over');
  });

  it('fails after its time limit, and on abort', async () => {
    dialing.peer.respond(await refer({ timeoutMs: 60_000 }), 202);
    await dialing.peer.barrier();
    await dialing.clock.advance(59_999);
    expect(outcome).toBeNull();
    await dialing.clock.advance(1);
    expect(outcome).toMatchObject({ type: 'failed' });
    const giving = new AbortController();
    dialing.peer.respond(await refer({ signal: giving.signal }), 202);
    await dialing.peer.barrier();
    giving.abort();
    await until(() => outcome?.type === 'failed', 'it is over');
    expect(dialing.reported[0]).toBe('answered');
  });

  it('allows one transfer at a time', async () => {
    await refer();
    expect(await dialing.call?.session?.refer('sip:dave@example.com')).toMatchObject({ type: 'failed' });
  });

  it('can name the call that the new one replaces', async () => {
    const replaces = dialing.call?.session ?? undefined;
    if (replaces === undefined) throw new Error('no call');
    const request = await refer({ replaces });
    const { callId, localTag } = replaces.dialog;
    const expected = encodeURIComponent(`${callId};to-tag=bob;from-tag=${localTag}`);
    expect(request.headers.get('Refer-To')).toBe(`<sip:carol@example.com?Replaces=${expected}>`);
    dialing.peer.respond(request, 603);
  });
});

describe('NOTIFY', () => {
  it('is rejected when it belongs to no local transfer', async () => {
    dialing.request({ method: 'NOTIFY', cseq: 2, headers: ['Event: refer', 'Subscription-State: active'] });
    await dialing.peer.response(481, 'NOTIFY');
    dialing.request({ method: 'NOTIFY', cseq: 3, headers: ['Event: presence', 'Subscription-State: active'] });
    await dialing.peer.response(489, 'NOTIFY');
  });
});
