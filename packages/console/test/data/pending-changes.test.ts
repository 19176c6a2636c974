// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { type Changing, settled, shownValue, withoutPending, withPending } from '../../src/app/data/pending-changes.ts';

describe('pending changes', () => {
  const add = (name: string) => (all: readonly string[]) => [...all, name];
  const none: Changing<readonly string[]> = { known: [], pending: [] };

  it('are shown in their order, and taken back one by one', () => {
    const [first, second] = [add('first'), add('second')];
    const both = withPending(withPending(none, first), second);
    expect(shownValue(both)).toEqual(['first', 'second']);
    expect(shownValue(withoutPending(both, first))).toEqual(['second']);
  });

  it('stay when one is accepted while another is under way, and when the value is loaded again', () => {
    const [first, second] = [add('first'), add('second')];
    const accepted = settled(withPending(withPending(none, first), second), second);
    expect(shownValue(accepted)).toEqual(['second', 'first']);
    expect(shownValue({ ...accepted, known: ['loaded'] })).toEqual(['loaded', 'first']);
  });

  it('show nothing before there is a value', () => {
    expect(shownValue(withPending<string>({ known: null, pending: [] }, (text) => text))).toBeNull();
  });
});
