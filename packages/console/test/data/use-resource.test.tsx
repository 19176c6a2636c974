// @vitest-environment happy-dom
import { useState } from 'preact/hooks';
import { describe, expect, it } from 'vitest';
import { useResource } from '../../src/app/data/use-resource.ts';
import { type Deferred, deferred } from '../support/session.ts';
import { showHook, until } from '../support/show.tsx';

interface Request extends Deferred<readonly number[]> {
  readonly signal: AbortSignal;
}

/** Uses a resource whose requests the test answers, and whose key it changes. */
function showResource() {
  const requests: Request[] = [];
  const hook = showHook(() => {
    const [key, setKey] = useState('first');
    const resource = useResource(key, (signal) => {
      const request = { ...deferred<readonly number[]>(), signal };
      requests.push(request);
      return request.promise;
    });
    return { setKey, ...resource };
  });
  const request = (index: number): Request => {
    const found = requests[index];
    if (found === undefined) throw new Error(`There was no request ${index}.`);
    return found;
  };
  return { hook, request, requests };
}

describe('a loaded value', () => {
  it('is null until it is loaded', async () => {
    const { hook, request } = showResource();
    expect(hook.current).toMatchObject({ value: null, error: null, isLoading: true });
    request(0).resolve([1]);
    await until(() => expect(hook.current).toMatchObject({ value: [1], error: null, isLoading: false }));
  });

  it('stays beside the error of a later request', async () => {
    const { hook, request } = showResource();
    request(0).resolve([1]);
    await until(() => expect(hook.current.isLoading).toBe(false));
    hook.current.reload();
    await until(() => expect(hook.current.isLoading).toBe(true));
    const error = new Error('offline');
    request(1).reject(error);
    await until(() => expect(hook.current).toMatchObject({ value: [1], error, isLoading: false }));
  });

  it('is loaded again for another key, without the outdated answer', async () => {
    const { hook, request, requests } = showResource();
    hook.current.setKey('second');
    await until(() => expect(requests).toHaveLength(2));
    expect(request(0).signal.aborted).toBe(true);
    request(0).resolve([1]);
    request(1).resolve([2]);
    await until(() => expect(hook.current.isLoading).toBe(false));
    expect(hook.current.value).toEqual([2]);
  });

  it('ignores the failure of an outdated request', async () => {
    const { hook, request, requests } = showResource();
    hook.current.reload();
    await until(() => expect(requests).toHaveLength(2));
    request(0).reject(new Error('aborted'));
    request(1).resolve([2]);
    await until(() => expect(hook.current.value).toEqual([2]));
    expect(hook.current.error).toBeNull();
  });

  it('aborts its request when the component is removed', () => {
    const { hook, request } = showResource();
    hook.unmount();
    expect(request(0).signal.aborted).toBe(true);
  });
});

describe('a change of a loaded value', () => {
  async function loaded() {
    const shown = showResource();
    shown.request(0).resolve([1, 2]);
    await until(() => expect(shown.hook.current.value).toEqual([1, 2]));
    return shown;
  }
  const without = (removed: number) => (all: readonly number[]) => all.filter((each) => each !== removed);

  it('is shown at once, then loaded', async () => {
    const { hook, request, requests } = await loaded();
    const sent = deferred();
    const changed = hook.current.change(without(1), () => sent.promise);
    await until(() => expect(hook.current).toMatchObject({ value: [2], isChanging: true }));
    expect(requests).toHaveLength(1);
    sent.resolve();
    await changed;
    await until(() => expect(requests).toHaveLength(2));
    expect(hook.current).toMatchObject({ value: [2], isChanging: false });
    request(1).resolve([2, 3]);
    await until(() => expect(hook.current.value).toEqual([2, 3]));
  });

  it('is taken back if it is refused', async () => {
    const { hook, requests } = await loaded();
    const error = new Error('refused');
    await expect(hook.current.change(without(1), () => Promise.reject(error))).rejects.toBe(error);
    await until(() => expect(hook.current).toMatchObject({ value: [1, 2], isChanging: false, error: null }));
    expect(requests).toHaveLength(1);
  });

  it('stays applied while another one is refused', async () => {
    const { hook } = await loaded();
    const [first, second] = [deferred(), deferred()];
    const refused = hook.current.change(without(1), () => first.promise);
    const accepted = hook.current.change(without(2), () => second.promise);
    await until(() => expect(hook.current.value).toEqual([]));
    first.reject(new Error('refused'));
    await expect(refused).rejects.toThrow('refused');
    await until(() => expect(hook.current.value).toEqual([1]));
    second.resolve();
    await accepted;
    expect(hook.current.value).toEqual([1]);
  });

  it('is applied to a value that is loaded meanwhile', async () => {
    const { hook, request, requests } = await loaded();
    const sent = deferred();
    const changed = hook.current.change(without(1), () => sent.promise);
    hook.current.reload();
    await until(() => expect(requests).toHaveLength(2));
    request(1).resolve([1, 2, 3]);
    await until(() => expect(hook.current.value).toEqual([2, 3]));
    sent.resolve();
    await changed;
  });
});
