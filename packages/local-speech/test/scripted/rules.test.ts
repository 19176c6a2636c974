import type { LlmConfig } from '@va/core';
import { describe, expect, it } from 'vitest';
import { applyRules, parseScript, type Rule } from '../../src/scripted/rules.ts';

const parse = (rules: unknown, rest: object = {}): ReturnType<typeof parseScript> =>
  parseScript({ provider: 'scripted', messages: [], rules, ...rest } as unknown as LlmConfig);

describe('parseScript', () => {
  it('fills the defaults of a rule', () => {
    expect(parse([{ when: 'hello', say: 'Hi.' }])).toEqual({
      rules: [{ when: 'hello', say: 'Hi.', endCall: false, once: false }],
      fallback: 'Sorry, I did not understand that.',
    });
    expect(parse([{ when: 'x', call: { tool: 'find' } }]).rules[0]?.call).toEqual({ tool: 'find', arguments: {} });
  });

  it.each([
    ['no rules', [], /rules/],
    ['more than 200 rules', Array(201).fill({ when: 'x', say: 'y' }), /rules/],
    ['a pattern that is no regular expression', [{ when: '(', say: 'y' }], /is not a regular expression/],
    ['a pattern above 500 characters', [{ when: 'x'.repeat(501), say: 'y' }], /when/],
    ['a rule that does nothing', [{ when: 'x' }], /says and does nothing/],
    ['a rule that only says something after a tool', [{ when: 'x', thenSay: 'y' }], /says and does nothing/],
    ['an unknown field', [{ when: 'x', say: 'y', reply: 'z' }], /reply/],
    ['a tool without a name', [{ when: 'x', call: { tool: '' } }], /tool/],
  ])('refuses %s', (_, rules, message) => {
    expect(() => parse(rules)).toThrow(
      expect.objectContaining({ fault: 'invalid_request', message: expect.stringMatching(message) }),
    );
  });
});

describe('applyRules', () => {
  const rule = (when: string, once = false): Rule => ({ when, say: when, endCall: false, once });
  const said = (rules: readonly Rule[], ...messages: readonly string[]): string | undefined =>
    applyRules(rules, messages)?.rule.when;

  it('returns the first rule that matches, case-insensitively, with its groups', () => {
    const applied = applyRules([rule('no'), rule('table for (?<people>\\w+)'), rule('table')], ['A TABLE for four']);
    expect([applied?.rule.when, applied?.match.groups?.people]).toEqual(['table for (?<people>\\w+)', 'four']);
  });

  it.each([
    ['nothing matches', ['good evening'], undefined],
    ['nothing was said', [], undefined],
    ['only an earlier message matches', ['table', 'good evening'], undefined],
    ['the last message matches', ['good evening', 'table'], 'table'],
  ])('when %s (%j), returns %j', (_, messages, when) => {
    expect(said([rule('table')], ...messages)).toBe(when);
  });

  it('uses up a rule with `once` by its first match, also in an earlier message', () => {
    const rules = [rule('hello', true), rule('hell')];
    expect([said(rules, 'hello'), said(rules, 'hello', 'hello'), said(rules, 'hello', 'hello', 'hello')]).toEqual([
      ...['hello', 'hell', 'hell'],
    ]);
  });

  it('matches characters beyond the basic plane as one', () => {
    expect(said([rule('^.$')], '😀')).toBe('^.$');
  });
});
