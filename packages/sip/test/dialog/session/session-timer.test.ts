import { VirtualClock } from '@va/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { SessionTimer } from '../../../src/dialog/session/session-timer.ts';
import { answerSdp, Dialing } from '../../support/dialing.ts';
import { offerText } from '../../support/messages.ts';
import { until } from '../../support/until.ts';

describe('SessionTimer', () => {
  function createTimer() {
    const clock = new VirtualClock();
    const reported: string[] = [];
    const timer = new SessionTimer(clock, {
      onRefreshDue: () => reported.push('refresh'),
      onExpired: () => reported.push('expired'),
    });
    return { clock, reported, timer };
  }

  it('requests a refresh at half of the interval, and expires at its end', async () => {
    const { clock, reported, timer } = createTimer();
    timer.run(100, true);
    await clock.advance(49_000);
    expect(reported).toEqual([]);
    await clock.advance(2_000);
    expect(reported).toEqual(['refresh']);
    await clock.advance(48_000);
    expect(reported).toEqual(['refresh']);
    await clock.advance(2_000);
    expect(reported).toEqual(['refresh', 'expired']);
  });

  it.each([
    [90, 60],
    [1_800, 1_768],
  ])("with an interval of %i s waits %i s for the peer's refresh", async (seconds, waitSeconds) => {
    const { clock, reported, timer } = createTimer();
    timer.run(seconds, false);
    await clock.advance((waitSeconds - 1) * 1_000);
    expect(reported).toEqual([]);
    await clock.advance(2_000);
    expect(reported).toEqual(['expired']);
  });

  it('restarts with each refresh, and leaves no timer behind', async () => {
    const { clock, reported, timer } = createTimer();
    timer.run(90, false);
    await clock.advance(50_000);
    timer.run(90, false);
    await clock.advance(50_000);
    expect(reported).toEqual([]);
    timer.stop();
    expect(clock.pending).toBe(0);
  });
});

describe('call with a session timer', () => {
  let dialing: Dialing;
  afterEach(() => dialing.close());

  /** Opens an agent whose sessions last two seconds. */
  async function openBrief(): Promise<void> {
    dialing = await Dialing.open({ sessionSeconds: 2, minSessionSeconds: 2 });
  }

  const ours = ['Session-Expires: 2;refresher=uac', 'Require: timer'];
  const theirs = ['Session-Expires: 2;refresher=uas'];

  it('requests 1,800 s, and announces support for timers', async () => {
    dialing = await Dialing.open();
    const invite = await dialing.dial();
    expect(invite.headers.get('Session-Expires')).toBe('1800');
    expect(invite.headers.get('Min-SE')).toBe('90');
    expect(invite.headers.list('Supported')).toContain('timer');
    dialing.peer.respond(invite, 486, { toTag: 'bob' });
  });

  it('is refreshed repeatedly with UPDATE when the peer supports it', async () => {
    await openBrief();
    await dialing.connect([...ours, 'Allow: INVITE, ACK, BYE, UPDATE']);
    for (let i = 0; i < 5; i++) {
      await dialing.clock.advance(999);
      await dialing.peer.barrier();
      expect(dialing.peer.countRequests('UPDATE')).toBe(i);
      await dialing.clock.advance(1);
      const update = await dialing.requested('UPDATE');
      expect(update.headers.get('Session-Expires')).toBe('2;refresher=uac');
      expect(update.body).toHaveLength(0);
      dialing.peer.respond(update, 200, { headers: ours });
      await dialing.peer.barrier();
    }
    expect(dialing.reported).toEqual(['answered']);
  });

  it('is refreshed by re-INVITE when the peer rejects the UPDATE that it announced', async () => {
    await openBrief();
    await dialing.connect([...ours, 'Allow: INVITE, ACK, BYE, UPDATE']);
    await dialing.clock.advance(1_000);
    dialing.peer.respond(await dialing.requested('UPDATE'), 405);
    const invite = await dialing.requested('INVITE');
    expect(invite.headers.get('Session-Expires')).toBe('2;refresher=uac');
    dialing.peer.respond(invite, 200, { sdp: answerSdp, headers: ours });
    await dialing.requested('ACK');
    await dialing.clock.advance(1_000);
    expect((await dialing.requested('INVITE')).headers.get('CSeq')).toBe('4 INVITE');
  });

  it('retries a refresh with a longer interval after 422', async () => {
    await openBrief();
    await dialing.connect([...ours, 'Allow: UPDATE']);
    await dialing.clock.advance(1_000);
    dialing.peer.respond(await dialing.requested('UPDATE'), 422, { headers: ['Min-SE: 5'] });
    expect((await dialing.requested('UPDATE')).headers.get('Session-Expires')).toBe('5;refresher=uac');
  });

  it('retries the INVITE with a longer interval after 422', async () => {
    dialing = await Dialing.open();
    dialing.peer.respond(await dialing.dial(), 422, { toTag: 'a', headers: ['Min-SE: 3600'] });
    const again = await dialing.requested('INVITE');
    expect(again.headers.get('Session-Expires')).toBe('3600');
    expect(again.headers.get('Min-SE')).toBe('3600');
    expect(again.headers.get('CSeq')).toBe('2 INVITE');
    expect(again.headers.all('Via')).toHaveLength(1);
    dialing.peer.respond(again, 422, { toTag: 'a', headers: ['Min-SE: 7200'] });
    await until(() => dialing.reported.length > 0, 'it is refused');
    expect(dialing.reported).toMatchObject([{ cause: 'refused', status: 422 }]);
  });

  it('continues as long as the peer refreshes it, and is hung up when that stops', async () => {
    await openBrief();
    await dialing.connect(theirs);
    // The agent waits for two thirds of the interval.
    await dialing.clock.advance(1_300);
    const headers = ['Supported: timer', 'Session-Expires: 2;refresher=uac'];
    dialing.request({ method: 'UPDATE', cseq: 2, headers });
    const ok = await dialing.peer.response(200, 'UPDATE');
    expect(ok.headers.get('Session-Expires')).toBe('2;refresher=uac');
    expect(ok.headers.get('Require')).toBe('timer');
    await dialing.clock.advance(1_300);
    dialing.request({ cseq: 3, sdp: offerText.replace('8 0 96', '0 96'), headers });
    expect((await dialing.peer.response(200, 'INVITE')).headers.get('Session-Expires')).toBe('2;refresher=uac');
    dialing.request({ method: 'ACK', cseq: 3, branch: 'z9hG4bKack3' });
    await dialing.peer.barrier();
    await dialing.clock.advance(1_300);
    expect(dialing.reported).toEqual(['answered']);
    await dialing.clock.advance(50);
    dialing.peer.respond(await dialing.requested('BYE'), 200);
    expect(dialing.reported.at(-1)).toMatchObject({ cause: 'transport-error' });
  });

  it('rejects a refresh with too short an interval', async () => {
    dialing = await Dialing.open();
    await dialing.connect();
    dialing.request({ method: 'UPDATE', cseq: 2, headers: ['Supported: timer', 'Session-Expires: 30'] });
    expect((await dialing.peer.response(422, 'UPDATE')).headers.get('Min-SE')).toBe('90');
  });

  it('has no timer when the peer wants none', async () => {
    await openBrief();
    await dialing.connect();
    await dialing.clock.advance(10_000);
    await dialing.peer.barrier();
    expect(dialing.reported).toEqual(['answered']);
    expect(['INVITE', 'UPDATE', 'BYE'].map((method) => dialing.peer.countRequests(method))).toEqual([1, 0, 0]);
  });
});
