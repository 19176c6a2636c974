import { ApiError } from '@va/client';
import { useState } from 'preact/hooks';
import { type Fields, valueAt, withValueAt } from '../../data/paths.ts';

/** Words of a field. */
export interface FieldText {
  readonly label: string;
  readonly help?: string;
}

export type FieldTexts = Readonly<Record<string, FieldText>>;

/** Values of a form and what the API has said about them. */
export interface Form {
  readonly values: Fields;
  readonly isDisabled: boolean;
  readonly texts: FieldTexts;
  readonly errors: ReadonlyMap<string, string>;
  /** Sets a value by its dotted path; undefined removes it. */
  set(path: string, value: unknown): void;
  replace(values: Fields): void;
  setErrors(thrown: unknown): void;
}

export interface FormOptions {
  readonly initial: Fields;
  readonly texts: FieldTexts;
  readonly isDisabled?: boolean;
}

export function useForm({ initial, texts, isDisabled = false }: FormOptions): Form {
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<ReadonlyMap<string, string>>(new Map());
  return {
    values,
    isDisabled,
    texts,
    errors,
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

export function stringAt(form: Form, path: string): string {
  const value = valueAt(form.values, path);
  return typeof value === 'string' ? value : '';
}

/** Turns `min_delay_ms` into `Min delay (ms)`. */
function labelOf(path: string): string {
  const name = path.slice(path.lastIndexOf('.') + 1);
  const words = name.replace(/_(ms|seconds|db)$/, ' ($1)').replace(/_/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
