// @vitest-environment happy-dom
import { screen } from '@testing-library/dom';
import { act } from 'preact/test-utils';
import { beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/app/data/paths.ts';
import { type FormState, useForm } from '../../../src/app/ui/form/form-state.ts';
import { JsonField } from '../../../src/app/ui/form/json-field.tsx';
import { keepPlainEditor } from '../../support/plain-editor.ts';
import { refusal } from '../../support/session.ts';
import { show } from '../../support/show.tsx';
import { type } from '../../support/user.ts';

beforeEach(() => keepPlainEditor());

let form: FormState;
function showField(initial: JsonObject, isDisabled = false): HTMLElement {
  const Host = () => {
    form = useForm({ initial, texts: { metadata: { label: 'Metadata', help: 'A JSON object.' } }, isDisabled });
    return <JsonField form={form} path="metadata" />;
  };
  show(<Host />);
  return screen.getByRole('textbox', { name: 'Metadata' });
}

describe('a field of JSON', () => {
  it.each<[string, JsonObject, string]>([
    ['an object', { metadata: { a: [1] } }, '{\n  "a": [\n    1\n  ]\n}'],
    ['nothing', {}, ''],
    ['null', { metadata: null }, ''],
  ])('shows %s', (_, initial, text) => {
    expect(showField(initial)).toHaveProperty('value', text);
  });

  it('sets the value while its text is JSON', () => {
    const field = showField({ metadata: { a: 1 } });
    type(field, '{"a": 2}');
    expect(form.values).toEqual({ metadata: { a: 2 } });
    type(field, '  ');
    expect(form.values).toEqual({});
  });

  it('keeps text that is not JSON with its fault, and the value as it was', () => {
    const field = showField({ metadata: { a: 1 } });
    type(field, '{"a": ');
    expect(form.values).toEqual({ metadata: { a: 1 } });
    expect(field).toHaveProperty('value', '{"a": ');
    expect(screen.getByText(/^This is no JSON: /)).toBeTruthy();
    type(field, '{"a": 3}');
    expect(screen.queryByText(/^This is no JSON: /)).toBeNull();
  });

  it('keeps the layout of what is typed', () => {
    const field = showField({});
    type(field, '{"b":1,   "a":2}');
    expect(field).toHaveProperty('value', '{"b":1,   "a":2}');
  });

  it('shows the value after a change from outside', () => {
    const field = showField({ metadata: { a: 1 } });
    type(field, '{"a":2}');
    void act(() => form.replace({ metadata: { a: 1 } }));
    expect(field).toHaveProperty('value', '{\n  "a": 1\n}');
  });

  it('shows the fault of the API', () => {
    showField({ metadata: { a: 1 } });
    const fault = { path: 'metadata', code: 'invalid_field', message: 'expected at most 16 KB' };
    void act(() => form.setErrors(refusal('invalid', { errors: [fault] })));
    expect(screen.getByText('expected at most 16 KB')).toBeTruthy();
  });

  it('is disabled in a form that may not be changed', () => {
    expect(showField({}, true)).toHaveProperty('disabled', true);
  });
});
