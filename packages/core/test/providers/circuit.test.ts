import { VirtualClock } from '@va/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { ProviderError } from '../../src/errors.ts';
import { Circuit } from '../../src/providers/circuit.ts';
import { type CircuitScope, ProviderCircuits } from '../../src/providers/provider-circuits.ts';

const scope = (owner: string | null, model: string | null = null): CircuitScope => ({ owner, model });
const down = new ProviderError('x', 'unavailable', 'down');

let clock: VirtualClock;
let circuit: Circuit;

beforeEach(() => {
  clock = new VirtualClock();
  circuit = new Circuit(clock, { failures: 2, openMs: 30_000 });
});

async function attempt(outcome: 'succeeded' | 'failed' | 'abandoned', error: unknown = down): Promise<boolean> {
  const begun = circuit.begin();
  if (outcome === 'failed') begun?.failed(error);
  else begun?.[outcome]();
  await clock.advance(0);
  return begun !== null;
}

describe('a circuit', () => {
  it('opens after failures in a row, and is passed over from then on', async () => {
    await attempt('failed');
    await attempt('succeeded');
    await attempt('failed');
    expect(circuit.isOpen).toBe(false);
    await attempt('failed');
    expect(circuit.isOpen).toBe(true);
    await clock.advance(29_999);
    expect(circuit.begin()).toBeNull();
  });

  it('lets one attempt show whether it works again', async () => {
    await attempt('failed');
    await attempt('failed');
    await clock.advance(30_000);
    const trial = circuit.begin();
    expect(trial).not.toBeNull();
    expect(circuit.begin()).toBeNull();
    trial?.succeeded();
    await clock.advance(0);
    expect(circuit.isOpen).toBe(false);
  });

  it.each(['failed', 'abandoned'] as const)('stays open where that attempt is %s', async (outcome) => {
    await attempt('failed');
    await attempt('failed');
    await clock.advance(30_000);
    await attempt(outcome);
    expect(circuit.isOpen).toBe(true);
    await clock.advance(30_000);
    expect(await attempt('succeeded')).toBe(true);
    expect(circuit.isOpen).toBe(false);
  });

  it('does not count what nobody waited for, nor what was wrong with a request', async () => {
    await attempt('failed');
    await attempt('abandoned');
    await attempt('failed', new ProviderError('x', 'invalid_request', 'no such model'));
    expect(circuit.isOpen).toBe(false);
    await attempt('failed', new Error('anything'));
    expect(circuit.isOpen).toBe(true);
  });

  it('heeds the first outcome of an attempt alone', async () => {
    for (let each = 0; each < 3; each++) {
      const begun = circuit.begin();
      begun?.succeeded();
      begun?.failed(down);
      await clock.advance(0);
    }
    expect(circuit.isOpen).toBe(false);
  });
});

describe('the circuits of a process', () => {
  it('are one for each provider of a kind, and for each organization with a key of its own', () => {
    const circuits = new ProviderCircuits(clock);
    const host = circuits.of({ kind: 'llm', id: 'openai' }, scope(null));
    expect(circuits.of({ kind: 'llm', id: 'openai' }, scope(null))).toBe(host);
    expect(circuits.of({ kind: 'tts', id: 'openai' }, scope(null))).not.toBe(host);
    expect(circuits.of({ kind: 'llm', id: 'openai' }, scope('org-1'))).not.toBe(host);
    expect(circuits.of({ kind: 'llm', id: 'openai' }, scope('org-2'))).not.toBe(
      circuits.of({ kind: 'llm', id: 'openai' }, scope('org-1')),
    );
  });

  it('are one for each model, so that one tenant’s model is no other tenant’s trouble', async () => {
    const circuits = new ProviderCircuits(clock);
    const provider = { kind: 'llm', id: 'openai' } as const;
    for (let at = 0; at < 3; at++) circuits.of(provider, scope(null, 'broken')).begin()?.failed(down);
    await clock.advance(0);
    expect(circuits.of(provider, scope(null, 'broken')).isOpen).toBe(true);
    expect(circuits.of(provider, scope(null, 'other')).isOpen).toBe(false);
    expect(circuits.of(provider, scope(null)).isOpen).toBe(false);
  });

  it.each([
    ['of a model that the key may not use are not counted', 'gpt-secret', false],
    ['of the default model are', null, true],
  ])('refusals of the key %s', async (_, model, isOpen) => {
    const circuits = new ProviderCircuits(clock);
    const circuit = circuits.of({ kind: 'llm', id: 'openai' }, scope(null, model));
    for (let at = 0; at < 5; at++) circuit.begin()?.failed(new ProviderError('openai', 'auth', '403', { status: 403 }));
    await clock.advance(0);
    expect(circuit.isOpen).toBe(isOpen);
  });

  it('are not kept for ever', () => {
    const circuits = new ProviderCircuits(clock);
    const provider = { kind: 'llm', id: 'openai' } as const;
    const [first, host] = [circuits.of(provider, scope('org')), circuits.of(provider, scope(null))];
    for (let each = 0; each < 10_000; each++) {
      circuits.of(provider, scope(`org-${each}`));
      circuits.of(provider, scope(null));
    }
    expect(circuits.of(provider, scope(null))).toBe(host);
    expect(circuits.of(provider, scope('org'))).not.toBe(first);
  });
});
