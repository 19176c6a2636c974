import type { JSX } from 'preact';
import { valueAt } from '../../data/paths.ts';
import type { Schema } from '../../data/schema.ts';
import { texts } from '../../texts/en.ts';
import { Field } from './field.tsx';
import { type Form, stringAt, textOf } from './form-state.ts';

export interface InputProps {
  readonly form: Form;
  readonly path: string;
  readonly schema: Schema;
  /** What an empty input stands for: null, or the absence of the field. */
  readonly empty: null | undefined;
}

const longText = 500;

export function TextInput({ form, path, schema, empty }: InputProps): JSX.Element {
  const value = stringAt(form, path);
  const set = (text: string): void => form.set(path, text === '' ? empty : text);
  return (
    <Field form={form} path={path}>
      {(input) =>
        (schema.maxLength ?? 0) > longText ? (
          <textarea {...input} rows={3} value={value} onInput={(event) => set(event.currentTarget.value)} />
        ) : (
          <input
            {...input}
            type="text"
            autocomplete="off"
            placeholder={defaultOf(schema)}
            value={value}
            onInput={(event) => set(event.currentTarget.value)}
          />
        )
      }
    </Field>
  );
}

export function NumberInput({ form, path, schema, empty }: InputProps): JSX.Element {
  const value = valueAt(form.values, path);
  const { minimum, maximum } = schema;
  return (
    <Field form={form} path={path} hint={texts.form.bounds(minimum, maximum)}>
      {(input) => (
        <input
          {...input}
          type="number"
          min={minimum}
          max={maximum}
          step={schema.type === 'integer' ? 1 : 'any'}
          placeholder={defaultOf(schema)}
          value={typeof value === 'number' ? value : ''}
          onInput={({ currentTarget }) =>
            form.set(path, currentTarget.value === '' ? empty : currentTarget.valueAsNumber)
          }
        />
      )}
    </Field>
  );
}

export function CheckInput({ form, path, schema }: InputProps): JSX.Element {
  const value = valueAt(form.values, path) ?? schema.default ?? false;
  return (
    <Field form={form} path={path} isInline>
      {(input) => (
        <input
          {...input}
          type="checkbox"
          checked={value === true}
          onChange={(event) => form.set(path, event.currentTarget.checked)}
        />
      )}
    </Field>
  );
}

export function ChoiceInput({ form, path, schema, empty }: InputProps): JSX.Element {
  const given = valueAt(form.values, path);
  return (
    <Field form={form} path={path}>
      {(input) => (
        <select
          {...input}
          value={typeof given === 'string' ? given : ''}
          onChange={({ currentTarget: { value } }) => form.set(path, value === '' ? empty : value)}
        >
          <option value="">{texts.form.byDefault(defaultOf(schema))}</option>
          {(schema.enum ?? []).map((each) => (
            <option key={String(each)} value={String(each)}>
              {String(each)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** Checkboxes for a list of known values. */
export function ChoicesInput({ form, path, schema, empty }: InputProps): JSX.Element {
  const given = valueAt(form.values, path) ?? schema.default;
  const chosen: readonly unknown[] = Array.isArray(given) ? given : [];
  const all = schema.items?.enum ?? [];
  const toggle = (each: unknown): void => {
    const next = all.filter((other) => chosen.includes(other) !== (other === each));
    form.set(path, next.length === 0 ? empty : next);
  };
  const { label, help } = textOf(form, path);
  return (
    <fieldset class="choices" disabled={form.isDisabled}>
      <legend>{label}</legend>
      {help !== undefined && <p class="help">{help}</p>}
      {all.map((each) => (
        <label key={String(each)}>
          <input type="checkbox" checked={chosen.includes(each)} onChange={() => toggle(each)} />
          <span>{String(each)}</span>
        </label>
      ))}
      {form.errors.has(path) && <p class="fault">{form.errors.get(path)}</p>}
    </fieldset>
  );
}

/** A list of texts, one a line. */
export function LinesInput({ form, path, schema, empty }: InputProps): JSX.Element {
  const value = valueAt(form.values, path);
  const lines: readonly unknown[] = Array.isArray(value) ? value : [];
  const byDefault = Array.isArray(schema.default) ? schema.default.join('\n') : undefined;
  return (
    <Field form={form} path={path} hint={texts.form.onePerLine}>
      {(input) => (
        <textarea
          {...input}
          rows={Math.min(8, Math.max(2, lines.length + 1))}
          placeholder={byDefault}
          value={lines.join('\n')}
          onInput={({ currentTarget: { value: text } }) => form.set(path, text === '' ? empty : text.split('\n'))}
          // While typing, a last empty line has to stay.
          onBlur={() => form.set(path, withoutBlanks(lines) ?? empty)}
        />
      )}
    </Field>
  );
}

function withoutBlanks(lines: readonly unknown[]): readonly string[] | undefined {
  const filled = lines.map((line) => String(line).trim()).filter((line) => line !== '');
  return filled.length === 0 ? undefined : filled;
}

function defaultOf({ default: value }: Schema): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
