// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { choicesOf, type FormState, stringAt, textOf } from '../../../src/app/ui/form/form-state.ts';

const form: FormState = {
  values: { name: 'Harbour', count: 3, inner: { list: [{ url: 'https://example.com' }] } },
  texts: { 'tools.name': { label: 'Tool name' } },
  choices: { agent_id: [{ value: 'a', label: 'One' }] },
  isDisabled: false,
  errors: new Map(),
  set() {},
  replace() {},
  setErrors() {},
};

describe('the label of a field', () => {
  it.each([
    ['tools.name', 'Tool name'],
    ['tools.12.name', 'Tool name'],
    ['speech.min_delay_ms', 'Min delay (ms)'],
    ['timeout_seconds', 'Timeout (seconds)'],
    ['threshold_db', 'Threshold (db)'],
    ['webhook_url', 'Webhook URL'],
    ['voice_id', 'Voice ID'],
    ['liquid_name', 'Liquid name'],
    ['fallbacks.0', 'Fallbacks'],
  ])('of %s is %j', (path, label) => {
    expect(textOf(form, path).label).toBe(label);
  });
});

describe('the options of a field', () => {
  it('are the records that it references, or the values of its schema', () => {
    expect(choicesOf(form, 'agent_id', ['ignored'])).toEqual([{ value: 'a', label: 'One' }]);
    expect(choicesOf(form, 'rate', [8_000, 'auto'])).toEqual([
      { value: '8000', label: '8000' },
      { value: 'auto', label: 'auto' },
    ]);
    expect(choicesOf(form, 'rate')).toEqual([]);
  });
});

describe('stringAt', () => {
  it.each([
    ['name', 'Harbour'],
    ['inner.list.0.url', 'https://example.com'],
    ['count', ''],
    ['inner', ''],
    ['missing.deep', ''],
  ])('reads %s as %j', (path, text) => {
    expect(stringAt(form, path)).toBe(text);
  });
});
