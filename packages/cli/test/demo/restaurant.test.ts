import { describe, expect, it } from 'vitest';
import { type Reservation, reserveTable } from '../../src/demo/reservations.ts';
import { callerLines, localConfig, tableFor } from '../../src/demo/restaurant.ts';
import { webPage } from '../../src/demo/web-page.ts';

interface Rule {
  readonly when: string;
  readonly say?: string;
  readonly thenSay?: string;
  readonly call?: { readonly tool: string; readonly arguments: Readonly<Record<string, string>> };
  readonly endCall?: boolean;
}

const { rules } = localConfig.llm_config as unknown as { readonly rules: readonly Rule[] };

/** Returns the first rule that a text matches, as the scripted model does, and the words that it takes from it. */
function ruleFor(text: string): { readonly rule: Rule | undefined; readonly groups: Readonly<Record<string, string>> } {
  for (const rule of rules) {
    const found = new RegExp(rule.when, 'i').exec(text);
    if (found !== null) return { rule, groups: { ...found.groups } };
  }
  return { rule: undefined, groups: {} };
}

describe('the demo call', () => {
  it('finds a table, reserves it and ends, in the order of the caller’s lines', () => {
    const steps = callerLines.map(({ text }) => {
      const { rule } = ruleFor(text);
      return rule?.endCall === true ? 'end' : (rule?.call?.tool ?? 'say');
    });
    expect(steps).toEqual(['say', 'find_table', 'say', 'reserve_table', 'end']);
  });

  it.each([
    ['on friday at seven', { day: 'friday', time: 'seven' }],
    ['sunday half past six please', { day: 'sunday', time: 'half past six' }],
    ['i would like to book a table for two people', { people: 'two people' }],
    ['my name is john smith', { name: 'john smith' }],
  ])('extracts the arguments of its tools from %j', (text, groups) => {
    expect(ruleFor(text).groups).toEqual(groups);
  });

  it('passes to each tool only named groups of the pattern of its rule', () => {
    for (const { when, call } of rules) {
      for (const value of Object.values(call?.arguments ?? {})) {
        const [, name = ''] = /^\$<(\w+)>$/.exec(value) ?? [];
        expect(when).toContain(`(?<${name}>`);
      }
    }
  });

  it('mentions only fields of the tool’s result in its reply', () => {
    const answer = tableFor({ day: 'friday', time: 'seven', other: 1 });
    expect(answer).toEqual({ table: 'twelve', place: 'by the window', day: 'friday', time: 'seven' });
    const { rule } = ruleFor('on friday at seven');
    const named = [...(rule?.thenSay ?? '').matchAll(/\{\{result\.(\w+)\}\}/g)].map(([, name]) => name);
    expect(Object.keys(answer)).toEqual(expect.arrayContaining(named));
  });

  it('has a recognizer that knows every line of the caller', () => {
    const { grammar } = localConfig.stt_config as unknown as { readonly grammar: string };
    const known = new Set(grammar.toLowerCase().match(/[a-z]+/g));
    const missing = callerLines.flatMap(({ text }) =>
      text
        .toLowerCase()
        .split(' ')
        .filter((word) => !known.has(word)),
    );
    expect(missing).toEqual([]);
  });
});

describe('reserveTable', () => {
  it('stores the name, and the number of the caller', async () => {
    const reserved: Reservation[] = [];
    const tool = reserveTable((reservation) => reserved.push(reservation));
    const context = { call: { caller_phone: '+31612345678' } } as unknown as Parameters<typeof tool.execute>[1];
    expect(await tool.execute({ name: 'John' }, context)).toEqual({ name: 'John' });
    expect(reserved).toEqual([{ name: 'John', phone: '+31612345678' }]);
  });
});

describe('webPage', () => {
  it('lists the sentences that the recognizer knows, if it knows no others', () => {
    expect(webPage(['yes please', 'goodbye'])).toContain('<li>yes please</li><li>goodbye</li>');
    expect(webPage([])).not.toContain('<li>');
  });
});
