import { describe, expect, it } from 'vitest';
import { takeClauses } from '../../src/conversation/clauses.ts';

describe('takeClauses', () => {
  it('takes whole sentences, and keeps what may go on', () => {
    expect(takeClauses('One. Two! Thr', true)).toEqual({ clauses: ['One.', 'Two!'], rest: 'Thr' });
    expect(takeClauses('It costs 3.50 and', true)).toEqual({ clauses: [], rest: 'It costs 3.50 and' });
  });

  it('takes a first clause at a comma once it is long enough to stand by itself', () => {
    const text = 'I have checked the calendar, and there is';
    expect(takeClauses(text, true)).toEqual({ clauses: ['I have checked the calendar,'], rest: 'and there is' });
    expect(takeClauses(text, false)).toEqual({ clauses: [], rest: text });
    expect(takeClauses('Yes, of course', true)).toEqual({ clauses: [], rest: 'Yes, of course' });
  });

  it('loses no letter, however the text is cut into pieces', () => {
    const text = 'Well, let me see. That is "all right." Is it? Yes… it is!';
    for (let size = 1; size < text.length; size++) {
      let rest = '';
      const spoken: string[] = [];
      for (let at = 0; at < text.length; at += size) {
        const taken = takeClauses(rest + text.slice(at, at + size), spoken.length === 0);
        spoken.push(...taken.clauses);
        rest = taken.rest;
      }
      expect([...spoken, rest].join(' ').replace(/\s+/g, ' ').trim()).toBe(text);
    }
  });
});
