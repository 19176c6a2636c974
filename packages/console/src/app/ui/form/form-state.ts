import { ApiError } from '@va/client';
import { useState } from 'preact/hooks';
import { type Fields, valueAt, withValueAt } from '../../data/paths.ts';
import type { FieldText, FieldTexts } from '../../texts/field-texts.ts';

/** A record that a field can refer to. */
export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** Values of a form and what the API has said about them. */
export interface Form {
  readonly values: Fields;
  readonly isDisabled: boolean;
  readonly texts: FieldTexts;
  readonly errors: ReadonlyMap<string, string>;
  /** Values of fields that refer to other records, by their path. */
  readonly choices: Readonly<Record<string, readonly Choice[]>>;
  /** Sets a value by its dotted path; undefined removes it. */
  set(path: string, value: unknown): void;
  replace(values: Fields): void;
  setErrors(thrown: unknown): void;
}

export interface FormOptions {
  readonly initial: Fields;
  readonly texts: FieldTexts;
  readonly isDisabled?: boolean;
  readonly choices?: Form['choices'];
}

export function useForm({ initial, texts, isDisabled = false, choices = {} }: FormOptions): Form {
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

/** Returns the faults that the API found, by the path of their field. */
export function errorsByField(thrown: unknown): ReadonlyMap<string, string> {
  if (!(thrown instanceof ApiError)) return new Map();
  return new Map(thrown.errors.map(({ path, message }) => [path, message]));
}

/** True if a path is another one, or below it. */
export function isWithin(path: string, other: string): boolean {
  return path === other || path.startsWith(`${other}.`);
}

export function textOf(form: Form, path: string): FieldText {
  const known = path
    .split('.')
    .filter((key) => !/^\d+$/.test(key))
    .join('.');
  return form.texts[known] ?? { label: labelOf(known) };
}

/** Returns what a field can have: the records it refers to, or else the values of its schema. */
export function choicesOf(form: Form, path: string, values: readonly unknown[] = []): readonly Choice[] {
  return form.choices[path] ?? values.map((value) => ({ value: String(value), label: String(value) }));
}

export function stringAt(form: Form, path: string): string {
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
