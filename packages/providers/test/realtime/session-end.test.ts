import { getEventListeners } from 'node:events';
import { VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { until } from '../options.ts';
import { audioBytes, dialects, setUp, speech, untilSent } from './support.ts';

const withTools = { withTools: true };

describe.each(dialects)('end of a session with %s', (dialect) => {
  it.each(['close', 'abort'] as const)(
    'by %s leaves no timer, connection or listener during a response and a turn',
    async (how) => {
      const clock = new VirtualClock();
      const { server, call, session, events, ended } = await setUp(dialect, {
        clock,
        replies: [{ text: 'On and on and on.', holdAfterWords: 2 }],
      });
      session.respond(1, withTools);
      await until(() => audioBytes(events) > 0);
      for (const frame of speech(200)) session.send(frame);
      session.commit(1);
      const before = events.length;
      if (how === 'close') session.close();
      else call.abort();
      await ended;
      await until(() => server.connections[0]?.closed === true && clock.pending === 0);
      expect(events).toHaveLength(before);
      expect(getEventListeners(call.signal, 'abort')).toEqual([]);
      // Later calls have no effect.
      session.send(new Uint8Array(160));
      session.commit(2);
      session.addMessage('user', 'Hello?');
      session.addToolResult('call-1', 'late');
      session.respond(2, withTools);
      session.cancel(1);
      session.truncate('item', 5);
      session.update({ instructions: '' });
      session.close();
      expect(clock.pending).toBe(0);
      expect(server.connections).toHaveLength(1);
    },
  );

  it('before it is connected leaves no timer and no connection', async () => {
    const clock = new VirtualClock();
    const { server, session, events, ended } = await setUp(dialect, { clock });
    session.close();
    await ended;
    await until(() => clock.pending === 0);
    expect(events).toEqual([]);
    expect(server.connections).toEqual([]);
  });

  it('before the session is accepted leaves no timer and no connection', async () => {
    const clock = new VirtualClock();
    const faults = [{ ignores: 'session.update' as const }];
    const { server, call, session, events, ended } = await setUp(dialect, { clock, faults });
    await untilSent(server, 'session.update');
    session.close();
    await ended;
    await until(() => server.connections[0]?.closed === true && clock.pending === 0);
    expect(events).toEqual([]);
    expect(getEventListeners(call.signal, 'abort')).toEqual([]);
    await clock.advance(60_000);
    expect(server.connections).toHaveLength(1);
  });

  it('during a reconnection leaves no timer and no connection', async () => {
    const clock = new VirtualClock();
    const { server, session, ended } = await setUp(dialect, { clock, faults: [{ cutAt: 'session.update' }] });
    await until(() => server.connections[0]?.closed === true && clock.pending === 1);
    session.close();
    await ended;
    expect(clock.pending).toBe(0);
    await clock.advance(60_000);
    expect(server.connections).toHaveLength(1);
  });

  it('by a permanent failure leaves no timer', async () => {
    const clock = new VirtualClock();
    const { ended } = await setUp(dialect, { clock, faults: [{ status: 401 }] });
    await expect(ended).rejects.toMatchObject({ fault: 'auth' });
    await until(() => clock.pending === 0);
  });

  it('is immediate when the call has ended', async () => {
    const clock = new VirtualClock();
    const { server, events, ended } = await setUp(dialect, { clock, session: { signal: AbortSignal.abort() } });
    await ended;
    expect(events).toEqual([]);
    expect(server.connections).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  it('follows three more attempts when a provider never accepts the session', async () => {
    const clock = new VirtualClock();
    const { server, ended } = await setUp(dialect, { clock, faults: Array(4).fill({ ignores: 'session.update' }) });
    for (const attempt of [1, 2, 3, 4]) {
      await until(() => (server.connections[attempt - 1]?.events.length ?? 0) > 0);
      await clock.advance(5_000);
      await clock.advance(1_000);
    }
    await expect(ended).rejects.toMatchObject({ fault: 'timeout', retryable: true });
  });
});
