import { silentLogger, VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import type { Logger } from '../../src/runtime/logger.ts';
import { VadBatcher } from '../../src/vad/vad-batcher.ts';
import { Detectors } from '../../src/worker/detectors.ts';

const module = new URL('./level-detector.mjs', import.meta.url).href;

function detectors(): { detectors: Detectors; failures: unknown[] } {
  const failures: unknown[] = [];
  const logger: Logger = { ...silentLogger, error: (fields) => void failures.push(fields.module) };
  return { failures, detectors: new Detectors(logger, (detector) => new VadBatcher(detector, new VirtualClock())) };
}

describe('the detectors of a worker', () => {
  it('load a module once for calls that start at the same time, and share its batcher', async () => {
    const { detectors: loaded } = detectors();
    const detector = { module: `${module}?once` };
    const loading = loaded.load(detector);
    expect(loading).not.toBeNull();
    expect(loaded.load({ ...detector })).toBe(loading);
    await loading;
    expect(loaded.load(detector)).toBeNull();
    expect(loaded.batcherOf(detector)).toBe(loaded.batcherOf({ ...detector }));
    expect(loaded.batcherOf(detector)?.windowSamples).toBe(160);
  });

  it('share the built-in detector, which needs no load', () => {
    const { detectors: loaded } = detectors();
    expect(loaded.load('silero')).toBeNull();
    expect(loaded.batcherOf('silero')).toBe(loaded.batcherOf('silero'));
  });

  it('have no batcher if the main thread detects speech', () => {
    const { detectors: loaded } = detectors();
    expect([loaded.load(null), loaded.batcherOf(null)]).toEqual([null, null]);
  });

  it.each([
    ['that does not exist', 'file:///nowhere.mjs'],
    ['without the function', 'data:text/javascript,export const x = 1'],
    ['whose function throws', 'data:text/javascript,export function createDetector() { throw new Error("no model") }'],
    ['that is no URL', 'http://'],
  ])('throw for a module %s, after one log entry', async (_, missing) => {
    const { detectors: loaded, failures } = detectors();
    await loaded.load({ module: missing });
    expect(failures).toEqual([missing]);
    expect(loaded.load({ module: missing })).toBeNull();
    expect(() => loaded.batcherOf({ module: missing })).toThrow(/is not loaded/);
  });

  it('throw for a module that was never loaded', () => {
    expect(() => detectors().detectors.batcherOf({ module })).toThrow(/is not loaded/);
  });
});
