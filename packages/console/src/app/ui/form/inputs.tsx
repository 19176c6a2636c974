import type { JSX, TargetedEvent } from 'preact';
import { valueAt } from '../../data/paths.ts';
import type { FormSchema } from '../../data/schema.ts';
import { texts } from '../../texts/en.ts';
import { Field, type InputIds } from './field.tsx';
import { choicesOf, type FormState, stringAt, textOf } from './form-state.ts';

export interface InputProps {
  readonly form: FormState;
  readonly path: string;
  readonly schema: FormSchema;
  /** Value of an empty input: null, or undefined to omit the field. */
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
          <LineInput {...{ input, path, schema, value, set }} />
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
          <option value="">
            {form.choices[path] === undefined ? texts.form.byDefault(defaultOf(schema)) : texts.form.none}
          </option>
          {choicesOf(form, path, schema.enum).map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
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
  const all = choicesOf(form, path, schema.items?.enum);
  const toggle = (each: string): void => {
    const next = all.map(({ value }) => value).filter((other) => chosen.includes(other) !== (other === each));
    form.set(path, next.length === 0 ? empty : next);
  };
  const { label, help } = textOf(form, path);
  return (
    <fieldset class="choices" disabled={form.isDisabled}>
      <legend>{label}</legend>
      {help !== undefined && <p class="help">{help}</p>}
      {all.map(({ value, label: name }) => (
        <label key={value}>
          <input type="checkbox" checked={chosen.includes(value)} onChange={() => toggle(value)} />
          <span>{name}</span>
        </label>
      ))}
      {form.errors.has(path) && <p class="fault">{form.errors.get(path)}</p>}
    </fieldset>
  );
}

/** A list of texts, one per line. */
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
          // Keeps a trailing empty line while typing.
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

function defaultOf({ default: value }: FormSchema): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** A one-line input whose type follows from the field. */
function LineInput(props: {
  readonly input: InputIds;
  readonly path: string;
  readonly schema: FormSchema;
  readonly value: string;
  readonly set: (text: string) => void;
}): JSX.Element {
  const { input, path, schema, value, set } = props;
  const onInput = (event: TargetedEvent<HTMLInputElement>): void => set(event.currentTarget.value);
  if (isSecret(path)) {
    return <input {...input} type="password" autocomplete="new-password" value={value} onInput={onInput} />;
  }
  if (schema.format === 'date') return <input {...input} type="date" value={value} onInput={onInput} />;
  if (isTimeOfDay(schema)) return <input {...input} type="time" value={value} onInput={onInput} />;
  const placeholder = defaultOf(schema);
  return <input {...input} type="text" autocomplete="off" placeholder={placeholder} value={value} onInput={onInput} />;
}

function isTimeOfDay({ pattern = '' }: FormSchema): boolean {
  return pattern.startsWith('^(?:[01]');
}

/** Returns true for credentials, which are masked. */
function isSecret(path: string): boolean {
  return /(?:password|auth_token|api_key|secret)$/.test(path);
}
