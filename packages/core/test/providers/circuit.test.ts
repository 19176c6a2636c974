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
  it('opens after consecutive failures and then rejects attempts', async () => {
    await attempt('failed');
    await attempt('succeeded');
    await attempt('failed');
    expect(circuit.isOpen).toBe(false);
    await attempt('failed');
    expect(circuit.isOpen).toBe(true);
    await clock.advance(29_999);
    expect(circuit.begin()).toBeNull();
  });

  it('allows a single trial attempt after the open time', async () => {
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

  it.each(['failed', 'abandoned'] as const)('stays open when the trial attempt is %s', async (outcome) => {
    await attempt('failed');
    await attempt('failed');
    await clock.advance(30_000);
    await attempt(outcome);
    expect(circuit.isOpen).toBe(true);
    await clock.advance(30_000);
    expect(await attempt('succeeded')).toBe(true);
    expect(circuit.isOpen).toBe(false);
  });

  it('does not count abandoned attempts or invalid requests', async () => {
    await attempt('failed');
    await attempt('abandoned');
    await attempt('failed', new ProviderError('x', 'invalid_request', 'no such model'));
    expect(circuit.isOpen).toBe(false);
    await attempt('failed', new Error('anything'));
    expect(circuit.isOpen).toBe(true);
  });

  it('counts only the first outcome of an attempt', async () => {
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
  it('are separate for each kind of provider, and for each organization with its own key', () => {
    const circuits = new ProviderCircuits(clock);
    const host = circuits.of({ kind: 'llm', id: 'openai' }, scope(null));
    expect(circuits.of({ kind: 'llm', id: 'openai' }, scope(null))).toBe(host);
    expect(circuits.of({ kind: 'tts', id: 'openai' }, scope(null))).not.toBe(host);
    expect(circuits.of({ kind: 'llm', id: 'openai' }, scope('org-1'))).not.toBe(host);
    expect(circuits.of({ kind: 'llm', id: 'openai' }, scope('org-2'))).not.toBe(
      circuits.of({ kind: 'llm', id: 'openai' }, scope('org-1')),
    );
  });

  it('are separate for each model, so that a tenant’s broken model does not affect other tenants', async () => {
    const circuits = new ProviderCircuits(clock);
    const provider = { kind: 'llm', id: 'openai' } as const;
    for (let at = 0; at < 3; at++) circuits.of(provider, scope(null, 'broken')).begin()?.failed(down);
    await clock.advance(0);
    expect(circuits.of(provider, scope(null, 'broken')).isOpen).toBe(true);
    expect(circuits.of(provider, scope(null, 'other')).isOpen).toBe(false);
    expect(circuits.of(provider, scope(null)).isOpen).toBe(false);
  });

  it.each([
    ['do not count for a model that the key may not use', 'gpt-secret', false],
    ['count for the default model', null, true],
  ])('rejected credentials %s', async (_, model, isOpen) => {
    const circuits = new ProviderCircuits(clock);
    const circuit = circuits.of({ kind: 'llm', id: 'openai' }, scope(null, model));
    for (let at = 0; at < 5; at++) circuit.begin()?.failed(new ProviderError('openai', 'auth', '403', { status: 403 }));
    await clock.advance(0);
    expect(circuit.isOpen).toBe(isOpen);
  });

  it('are evicted when there are too many', () => {
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
