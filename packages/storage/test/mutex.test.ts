import { describe, expect, it } from 'vitest';
import { loadPeer } from '../src/load-peer.ts';
import { Mutex } from '../src/mutex.ts';

describe('Mutex', () => {
  it('runs work one at a time, in the order of the calls', async () => {
    const mutex = new Mutex();
    const steps: string[] = [];
    const work = (name: string) => async () => {
      steps.push(`${name} begins`);
      await Promise.resolve();
      steps.push(`${name} ends`);
      return name;
    };
    expect(await Promise.all(['a', 'b', 'c'].map((name) => mutex.run(work(name))))).toEqual(['a', 'b', 'c']);
    expect(steps).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  it('is released by work that fails', async () => {
    const mutex = new Mutex();
    const failing = mutex.run(() => {
      throw new Error('failed');
    });
    const next = mutex.run(() => 'next');
    await expect(failing).rejects.toThrow('failed');
    expect(await next).toBe('next');
  });

  it('waits until the holder calls the function that releases it', async () => {
    const mutex = new Mutex();
    const release = await mutex.acquire();
    let isRun = false;
    const waiting = mutex.run(() => {
      isRun = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isRun).toBe(false);
    release();
    await waiting;
    expect(isRun).toBe(true);
  });
});

describe('loadPeer', () => {
  it('returns the package', async () => {
    expect(await loadPeer('pg', async () => 'module')).toBe('module');
  });

  it('names the package to install', async () => {
    const cause = new Error('Cannot find package');
    const loading = loadPeer('pg', () => Promise.reject(cause));
    await expect(loading).rejects.toMatchObject({ code: 'missing_peer', cause });
    await expect(loading).rejects.toThrow('npm install pg');
  });
});
