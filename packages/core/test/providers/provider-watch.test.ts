import { describe, expect, it } from 'vitest';
import { ProviderError } from '../../src/errors.ts';
import { FailureReporter, type ProviderFailure } from '../../src/providers/provider-watch.ts';

const llm = { kind: 'llm', id: 'first' } as const;

describe('a failure of a provider', () => {
  it('is told once, however often it is met on its way up, and within what others make of it', () => {
    const told: ProviderFailure[] = [];
    const reporter = new FailureReporter((failure) => told.push(failure));
    const thrown = new ProviderError('second', 'quota', 'no credit');
    reporter.failed(llm, thrown);
    reporter.failed(llm, thrown);
    reporter.failed(llm, new ProviderError('second', 'unavailable', 'again', { cause: thrown }));
    expect(told).toEqual([{ kind: 'llm', provider: 'second', fault: 'quota' }]);
  });

  it('is of the provider that was asked where the error names none', () => {
    const told: ProviderFailure[] = [];
    new FailureReporter((failure) => told.push(failure)).failed(llm, new TypeError('fetch failed'));
    expect(told).toEqual([{ kind: 'llm', provider: 'first', fault: 'other' }]);
  });
});
