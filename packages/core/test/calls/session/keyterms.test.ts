import { describe, expect, it, vi } from 'vitest';
import { Keyterms } from '../../../src/calls/session/keyterms.ts';

describe('the key terms of a call', () => {
  it('are those of the agent, with the variables filled in, each once', () => {
    const terms = new Keyterms(['Trattoria', '{{ name }}', '{{city|Rome}}', 'Trattoria'], { name: ' Ann \n Smith ' });
    expect(terms.current).toEqual(['Trattoria', 'Ann Smith', 'Rome']);
  });

  it('leave out what has no value, or one that is too long', () => {
    expect(new Keyterms(['{{name}}', '{{other}}', 'Roma'], { other: 'x'.repeat(101) }).current).toEqual(['Roma']);
    expect(new Keyterms(['{{name}}']).current).toEqual([]);
  });

  it('notify listeners when a variable has changed them, until these are removed', () => {
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
