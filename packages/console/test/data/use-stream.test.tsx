// @vitest-environment happy-dom
import { useState } from 'preact/hooks';
import { describe, expect, it } from 'vitest';
import { useStream, worstOf } from '../../src/app/data/use-stream.ts';
import { ScriptedStream } from '../support/scripted-stream.ts';
import { deferred } from '../support/session.ts';
import { settle, showHook, until } from '../support/show.tsx';

function showStream() {
  const stream = new ScriptedStream<string>();
  const items: string[] = [];
  const hook = showHook(() => {
    const [key, setKey] = useState('first');
    return { setKey, ...useStream(key, stream.open, (item) => void items.push(item)) };
  });
  return { stream, items, hook };
}

describe('a stream', () => {
  it('passes its items on, and reconnects without a limit', async () => {
    const { stream, items, hook } = showStream();
    expect(hook.current.connection).toBe('connecting');
    expect(stream.current.maxReconnects).toBe(Number.MAX_SAFE_INTEGER);
    stream.connect();
    stream.send('a', 'b');
    await until(() => expect(items).toEqual(['a', 'b']));
    expect(hook.current).toMatchObject({ connection: 'open', round: 1, error: null });
  });

  it('counts its connections', async () => {
    const { stream, hook } = showStream();
    stream.connect();
    stream.connect(false);
    await until(() => expect(hook.current).toMatchObject({ connection: 'broken', round: 1 }));
    stream.connect();
    await until(() => expect(hook.current).toMatchObject({ connection: 'open', round: 2 }));
  });

  it('is lost after a refusal, until it is retried', async () => {
    const { stream, hook } = showStream();
    const error = new Error('too many streams');
    stream.fail(error);
    await until(() => expect(hook.current).toMatchObject({ connection: 'lost', error }));
    hook.current.retry();
    await until(() => expect(hook.current).toMatchObject({ connection: 'connecting', error: null }));
    expect(stream.connections).toHaveLength(2);
  });

  it('is opened again for another key, and ignores the one before', async () => {
    const { stream, items, hook } = showStream();
    const [before] = stream.connections;
    hook.current.setKey('second');
    await until(() => expect(stream.connections).toHaveLength(2));
    expect(before?.signal?.aborted).toBe(true);
    before?.onConnection?.(true);
    stream.send('later');
    await until(() => expect(items).toEqual(['later']));
    expect(hook.current).toMatchObject({ connection: 'connecting', round: 0 });
  });

  it('is closed when the component is removed', () => {
    const { stream, hook } = showStream();
    hook.unmount();
    expect(stream.current.signal?.aborted).toBe(true);
  });

  it('ignores an item that was on its way when the component was removed', async () => {
    const sent = deferred<string>();
    const items: string[] = [];
    async function* open(): AsyncGenerator<string, void, void> {
      yield await sent.promise;
    }
    const hook = showHook(() => useStream('key', open, (item) => void items.push(item)));
    hook.unmount();
    sent.resolve('late');
    await settle();
    expect(items).toEqual([]);
  });
});

describe('the worst of several connections', () => {
  it.each([
    [['open', 'open'], 'open'],
    [['open', 'connecting'], 'connecting'],
    [['broken', 'connecting'], 'broken'],
    [['broken', 'lost', 'open'], 'lost'],
    [[], 'open'],
  ] as const)('of %j is %s', (connections, worst) => {
    expect(worstOf(...connections)).toBe(worst);
  });
});
