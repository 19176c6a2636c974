import { describe, expect, it } from 'vitest';
import { ProviderError } from '../../src/errors.ts';
import { FailureReporter, type ProviderFailure } from '../../src/providers/provider-watch.ts';

const llm = { kind: 'llm', id: 'first' } as const;

describe('a failure of a provider', () => {
  it('is reported once when several layers see it or wrap it', () => {
    const told: ProviderFailure[] = [];
    const reporter = new FailureReporter((failure) => told.push(failure));
    const thrown = new ProviderError('second', 'quota', 'no credit');
    reporter.failed(llm, thrown);
    reporter.failed(llm, thrown);
    reporter.failed(llm, new ProviderError('second', 'unavailable', 'again', { cause: thrown }));
    expect(told).toEqual([{ kind: 'llm', provider: 'second', fault: 'quota' }]);
  });

  it('is attributed to the requested provider when the error names none', () => {
    const told: ProviderFailure[] = [];
    new FailureReporter((failure) => told.push(failure)).failed(llm, new TypeError('fetch failed'));
    expect(told).toEqual([{ kind: 'llm', provider: 'first', fault: 'other' }]);
  });
});
