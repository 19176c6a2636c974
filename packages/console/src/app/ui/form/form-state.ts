import { ApiError } from '@va/client';
import { useState } from 'preact/hooks';
import { isWithin, type JsonObject, valueAt, withValueAt } from '../../data/paths.ts';
import type { FieldText, FieldTexts } from '../../texts/field-texts.ts';

/** An option of a select, such as a record that a field references. */
export interface FieldChoice {
  readonly value: string;
  readonly label: string;
}

/** Values of a form, with the validation errors of the API. */
export interface FormState {
  readonly values: JsonObject;
  readonly isDisabled: boolean;
  readonly texts: FieldTexts;
  readonly errors: ReadonlyMap<string, string>;
  /** Options of fields that reference other records, by path. */
  readonly choices: Readonly<Record<string, readonly FieldChoice[]>>;
  /** Sets a value by its dotted path; undefined removes it. */
  set(path: string, value: unknown): void;
  replace(values: JsonObject): void;
  setErrors(thrown: unknown): void;
}

export interface FormOptions {
  readonly initial: JsonObject;
  readonly texts: FieldTexts;
  readonly isDisabled?: boolean;
  readonly choices?: FormState['choices'];
}

export function useForm({ initial, texts, isDisabled = false, choices = {} }: FormOptions): FormState {
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<ReadonlyMap<string, string>>(new Map());
  return {
    values,
    isDisabled,
    texts,
    errors,
    choices,
    set(path, value) {
      setValues((before) => withValueAt(before, path, value));
      setErrors((before) => new Map([...before].filter(([key]) => !isWithin(key, path))));
    },
    replace(next) {
      setValues(next);
      setErrors(new Map());
    },
    setErrors: (thrown) => setErrors(errorsByField(thrown)),
  };
}

/** Returns the error messages of the API by the path of their field. */
function errorsByField(thrown: unknown): ReadonlyMap<string, string> {
  if (!(thrown instanceof ApiError)) return new Map();
  return new Map(thrown.errors.map(({ path, message }) => [path, message]));
}

export function textOf(form: FormState, path: string): FieldText {
  const known = path
    .split('.')
    .filter((key) => !/^\d+$/.test(key))
    .join('.');
  return form.texts[known] ?? { label: labelOf(known) };
}

/** Returns the options of a field: the records that it may reference, or the enum values of its schema. */
export function choicesOf(form: FormState, path: string, values: readonly unknown[] = []): readonly FieldChoice[] {
  return form.choices[path] ?? values.map((value) => ({ value: String(value), label: String(value) }));
}

export function stringAt(form: FormState, path: string): string {
  const value = valueAt(form.values, path);
  return typeof value === 'string' ? value : '';
}

/** Turns `min_delay_ms` into `Min delay (ms)`. */
function labelOf(path: string): string {
  const name = path.slice(path.lastIndexOf('.') + 1);
  const words = name
    .replace(/_(ms|seconds|db)$/, ' ($1)')
    .replace(/_/g, ' ')
    .replace(/\b(?:url|api|id|pstn|sip)\b/g, (word) => word.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}
