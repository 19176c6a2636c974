// @vitest-environment happy-dom
import type { CallEvent, Client } from '@va/client';
import { useState } from 'preact/hooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useCallEvents } from '../../../src/app/pages/call/use-call-events.ts';
import { callEvent } from '../../support/live-events.ts';
import { ScriptedStream } from '../../support/scripted-stream.ts';
import { refusal, sessionWith } from '../../support/session.ts';
import { showHook } from '../../support/show.tsx';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const pass = async (ms: number): Promise<void> => void (await vi.advanceTimersByTimeAsync(ms));
const said = (id: number): CallEvent => callEvent('call-1', id, 'transcript', { role: 'user', content: String(id) });

function showEvents() {
  const stream = new ScriptedStream<CallEvent>();
  const ids: string[] = [];
  const events: Client['calls']['events'] = (id, options) => {
    ids.push(id);
    return stream.open(options);
  };
  const { client } = sessionWith({ calls: { events } });
  let renders = 0;
  const hook = showHook(() => {
    const [id, setId] = useState('call-1');
    renders += 1;
    return { setId, ...useCallEvents(client, id) };
  });
  const shown = (): readonly string[] => hook.current.events.map(({ id }) => id);
  return { stream, ids, hook, shown, renders: () => renders };
}

describe('the events of a call', () => {
  it('are batched for 50 ms', async () => {
    const { stream, shown } = showEvents();
    stream.send(said(1), said(2));
    await pass(49);
    expect(shown()).toEqual([]);
    stream.send(said(3));
    await pass(1);
    expect(shown()).toEqual(['1', '2', '3']);
  });

  it('of a long call cause fewer than five renders', async () => {
    const { stream, shown, renders } = showEvents();
    await pass(0);
    const before = renders();
    for (let n = 1; n <= 2_000; n += 1) stream.send(said(n));
    stream.end();
    await pass(100);
    expect(shown()).toHaveLength(2_000);
    expect(renders() - before).toBeLessThan(5);
  });

  it('are complete at the end of the stream', async () => {
    const { stream, hook, shown } = showEvents();
    stream.send(said(1));
    stream.end();
    await pass(0);
    expect([shown(), hook.current.isComplete, hook.current.error]).toEqual([['1'], true, null]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('stay beside the error that ended the stream', async () => {
    const { stream, hook, shown } = showEvents();
    const error = refusal('not now');
    stream.send(said(1));
    stream.fail(error);
    await pass(0);
    expect([shown(), hook.current.isComplete, hook.current.error]).toEqual([['1'], true, error]);
  });

  it('of another call replace them', async () => {
    const { stream, ids, hook, shown } = showEvents();
    stream.send(said(1));
    await pass(50);
    const [before] = stream.connections;
    hook.current.setId('call-2');
    await pass(0);
    expect([ids, shown(), before?.signal?.aborted]).toEqual([['call-1', 'call-2'], [], true]);
    stream.send(said(7));
    await pass(50);
    expect(shown()).toEqual(['7']);
  });

  it('are not shown after the page was left', async () => {
    const { stream, hook, renders } = showEvents();
    stream.send(said(1));
    await pass(10);
    hook.unmount();
    const before = renders();
    await pass(1_000);
    expect([stream.current.signal?.aborted, renders()]).toEqual([true, before]);
  });
});
