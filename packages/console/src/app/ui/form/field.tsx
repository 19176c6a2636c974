import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
import { type FormState, textOf } from './form-state.ts';

/** ARIA attributes that connect an input to its label, help and error. */
export interface InputIds {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': boolean;
  readonly disabled: boolean;
}

export interface FieldProps {
  readonly form: FormState;
  readonly path: string;
  readonly children: (input: InputIds) => ComponentChildren;
  /** Content beside the label, such as the bounds of a number. */
  readonly hint?: string | undefined;
  readonly isInline?: boolean;
}

/** A labelled input with its help and the validation error of the API. */
export function Field({ form, path, children, hint, isInline = false }: FieldProps): JSX.Element {
  const id = useId();
  const { label, help } = textOf(form, path);
  const error = form.errors.get(path);
  const described = [help !== undefined && `${id}-help`, error !== undefined && `${id}-error`]
    .filter(Boolean)
    .join(' ');
  const input = children({
    id,
    'aria-describedby': described === '' ? undefined : described,
    'aria-invalid': error !== undefined,
    disabled: form.isDisabled,
  });
  return (
    <div class={isInline ? 'field inline' : 'field'}>
      {isInline && input}
      <div class="field-label">
        <label for={id}>{label}</label>
        {hint !== undefined && <span class="muted small">{hint}</span>}
      </div>
      {!isInline && input}
      {help !== undefined && (
        <p id={`${id}-help`} class="help">
          {help}
        </p>
      )}
      {error !== undefined && (
        <p id={`${id}-error`} class="fault">
          {error}
        </p>
      )}
    </div>
  );
}
