import { setImmediate } from 'node:timers/promises';
import { silentLogger } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { Lifecycle, type ServicePart } from '../../src/service/lifecycle.ts';

/** Creates parts that log their calls; `faults` replaces single starts and closes. */
function recordedParts(faults: Partial<Record<string, () => Promise<void>>> = {}): {
  parts: ServicePart[];
  log: string[];
} {
  const log: string[] = [];
  const parts = ['storage', 'node', 'telephony'].map((name) => ({
    name,
    start: async () => {
      log.push(`start ${name}`);
      await faults[`start ${name}`]?.();
    },
    close: async (drainMs: number) => {
      log.push(`close ${name} ${drainMs}`);
      await faults[`close ${name}`]?.();
    },
  }));
  return { parts, log };
}

const drained = async (): Promise<void> => {};
const boom = async (): Promise<void> => {
  throw new Error('boom');
};

describe('Lifecycle', () => {
  it('starts the parts in order, and closes them in reverse order after draining', async () => {
    const { parts, log } = recordedParts();
    const lifecycle = new Lifecycle(parts, silentLogger);
    expect(lifecycle.phase).toBe('new');
    await lifecycle.start();
    expect(lifecycle.phase).toBe('started');
    await lifecycle.close(5, async () => void log.push(`drain in ${lifecycle.phase}`));
    expect(lifecycle.phase).toBe('closed');
    expect(log).toEqual([
      ...['start storage', 'start node', 'start telephony'],
      'drain in draining',
      ...['close telephony 5', 'close node 5', 'close storage 5'],
    ]);
  });

  it('closes the started parts when it is closed during the start', async () => {
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const { parts, log } = recordedParts({ 'start node': () => gate });
    const lifecycle = new Lifecycle(parts, silentLogger);
    const starting = lifecycle.start();
    await setImmediate();
    expect(log).toEqual(['start storage', 'start node']);
    const refused = expect(starting).rejects.toMatchObject({ code: 'invalid_state' });
    const closing = lifecycle.close(5, async () => void log.push('drain'));
    open();
    await refused;
    await closing;
    expect(lifecycle.phase).toBe('closed');
    expect(log).toEqual(['start storage', 'start node', 'close node 0', 'close storage 0']);
  });

  it('closes a part that fails to start and the parts before it', async () => {
    const { parts, log } = recordedParts({ 'start node': boom });
    const lifecycle = new Lifecycle(parts, silentLogger);
    await expect(lifecycle.start()).rejects.toThrow('boom');
    expect(log).toEqual(['start storage', 'start node', 'close node 0', 'close storage 0']);
    await lifecycle.close(0, drained);
    await expect(lifecycle.start()).rejects.toMatchObject({ code: 'invalid_state' });
  });

  it('closes the other parts when one fails to close', async () => {
    const { parts, log } = recordedParts({ 'close node': boom });
    const lifecycle = new Lifecycle(parts, silentLogger);
    await lifecycle.start();
    await lifecycle.close(0, drained);
    expect(log.slice(3)).toEqual(['close telephony 0', 'close node 0', 'close storage 0']);
  });

  it('closes once when close() is called repeatedly', async () => {
    const { parts, log } = recordedParts();
    const lifecycle = new Lifecycle(parts, silentLogger);
    await lifecycle.start();
    await Promise.all([lifecycle.close(0, drained), lifecycle.close(0, drained)]);
    await lifecycle.close(0, drained);
    expect(log).toHaveLength(6);
  });

  it('rejects a start after it was closed', async () => {
    const { parts, log } = recordedParts();
    const lifecycle = new Lifecycle(parts, silentLogger);
    await lifecycle.close(0, drained);
    await expect(lifecycle.start()).rejects.toMatchObject({ code: 'invalid_state' });
    expect(log).toEqual([]);
  });
});
