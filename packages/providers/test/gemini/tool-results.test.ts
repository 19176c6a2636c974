import { describe, expect, it } from 'vitest';
import { ToolResults } from '../../src/gemini/tool-results.ts';

const call = { id: 'a', name: 'book', arguments: '{}' };

describe('ToolResults', () => {
  it('returns the results since the last response, once', () => {
    const results = new ToolResults();
    expect(results.called(call)).toBe(true);
    expect(results.add('a', 'done')).toBe(true);
    expect(results.take()).toEqual([{ id: 'a', name: 'book', response: { output: 'done' } }]);
    expect(results.take()).toEqual([]);
  });

  it('refuses a repeated call, and a second result', () => {
    const results = new ToolResults();
    results.called(call);
    expect(results.called(call)).toBe(false);
    expect(results.add('a', 'done')).toBe(true);
    expect(results.add('a', 'again')).toBe(false);
    expect(results.add('unknown', 'done')).toBe(false);
  });

  it('drops cancelled calls, before and after their results', () => {
    const results = new ToolResults();
    results.called(call);
    results.called({ ...call, id: 'b' });
    results.add('b', 'done');
    results.cancel(['a', 'b', 'unknown']);
    expect(results.add('a', 'late')).toBe(false);
    expect(results.take()).toEqual([]);
  });
});
