// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/dom';
import { describe, expect, it } from 'vitest';
import { Field } from '../../../src/app/ui/form/field.tsx';
import { type FormState, useForm } from '../../../src/app/ui/form/form-state.ts';
import { refusal } from '../../support/session.ts';
import { show } from '../../support/show.tsx';
import { textOf } from '../../support/user.ts';

let form: FormState;

function showField(
  options: { readonly help?: string; readonly hint?: string; readonly isInline?: boolean } = {},
): HTMLElement {
  const { help, ...others } = options;
  const Host = () => {
    form = useForm({ initial: {}, texts: { name: { label: 'Name', ...(help !== undefined && { help }) } } });
    return (
      <Field form={form} path="name" {...others}>
        {(input) => <input {...input} />}
      </Field>
    );
  };
  show(<Host />);
  return screen.getByRole('textbox', { name: 'Name' });
}

/** The texts by which an input is described, in order. */
const descriptions = (input: HTMLElement): readonly string[] =>
  (input.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .filter(Boolean)
    .map((id) => textOf(document.getElementById(id) ?? document.body));

const fault = { path: 'name', code: 'required', message: 'expected a name' };

describe('a field', () => {
  it('is described by nothing without help and fault', () => {
    expect(showField().hasAttribute('aria-describedby')).toBe(false);
  });

  it('is described by its help, then its fault', async () => {
    const input = showField({ help: 'Callers hear it.' });
    expect(descriptions(input)).toEqual(['Callers hear it.']);
    form.setErrors(refusal('invalid', { errors: [fault] }));
    await waitFor(() => expect(descriptions(input)).toEqual(['Callers hear it.', 'expected a name']));
    expect(input.getAttribute('aria-invalid')).toBe('true');
  });

  it('is described by its fault alone', async () => {
    const input = showField();
    form.setErrors(refusal('invalid', { errors: [fault, { ...fault, path: 'names' }] }));
    await waitFor(() => expect(descriptions(input)).toEqual(['expected a name']));
  });

  it('has the hint beside its label, which is not part of its name', () => {
    showField({ hint: '1 to 10' });
    expect(textOf(document.querySelector('.field-label') ?? document.body)).toBe('Name1 to 10');
  });

  it.each([
    [false, ['DIV', 'INPUT']],
    [true, ['INPUT', 'DIV']],
  ])('in line (%s) has the parts %j', (isInline, tags) => {
    showField({ isInline });
    expect([...(document.querySelector('.field')?.children ?? [])].map(({ tagName }) => tagName)).toEqual(tags);
  });

  it('has an id of its own, so that a label belongs to one input', () => {
    const Host = () => {
      const state = useForm({ initial: {}, texts: {} });
      return (
        <>
          {['first_name', 'last_name'].map((path) => (
            <Field key={path} form={state} path={path}>
              {(input) => <input {...input} />}
            </Field>
          ))}
        </>
      );
    };
    show(<Host />);
    const [first, last] = ['First name', 'Last name'].map((name) => screen.getByRole('textbox', { name }));
    expect(first?.id).not.toBe(last?.id);
  });
});
