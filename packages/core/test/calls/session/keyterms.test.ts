import { describe, expect, it, vi } from 'vitest';
import { Keyterms } from '../../../src/calls/session/keyterms.ts';

describe('Keyterms', () => {
  it('fills in the variables and removes duplicates', () => {
    const terms = new Keyterms(['Trattoria', '{{ name }}', '{{city|Rome}}', 'Trattoria'], { name: ' Ann \n Smith ' });
    expect(terms.current).toEqual(['Trattoria', 'Ann Smith', 'Rome']);
  });

  it('omits terms without a value and terms that are too long', () => {
    expect(new Keyterms(['{{name}}', '{{other}}', 'Roma'], { other: 'x'.repeat(101) }).current).toEqual(['Roma']);
    expect(new Keyterms(['{{name}}']).current).toEqual([]);
  });

  it('notifies listeners when a variable changes the terms, until they are removed', () => {
    const terms = new Keyterms(['{{name}}'], null);
    const listener = vi.fn();
    const remove = terms.onChange(listener);
    terms.setVariables({ other: 'Ann' });
    expect(listener).not.toHaveBeenCalled();
    terms.setVariables({ name: 'Ann' });
    expect(listener).toHaveBeenCalledExactlyOnceWith(['Ann']);
    remove();
    terms.setVariables({ name: 'Bob' });
    expect(listener).toHaveBeenCalledOnce();
  });
});
