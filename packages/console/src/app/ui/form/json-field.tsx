import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { isSame, valueAt } from '../../data/paths.ts';
import { texts } from '../../texts/en.ts';
import { CodeEditor } from '../editor/code-editor.tsx';
import { type FormState, textOf } from './form-state.ts';

/** Edits a value as JSON. Invalid JSON stays in the editor with its error and does not change the form. */
export function JsonField({ form, path }: { readonly form: FormState; readonly path: string }): JSX.Element {
  const value = valueAt(form.values, path);
  const [typed, setTyped] = useState(() => toText(value));
  const parsed = parse(typed);
  // Resets the text when the value changes from outside, such as by discarding changes.
  const isStale = parsed.error === null && !isSame(parsed.value, value);
  const { label, help } = textOf(form, path);
  const fault = parsed.error ?? form.errors.get(path) ?? null;
  return (
    <div class="field">
      <div class="field-label">{label}</div>
      <CodeEditor
        label={label}
        language="json"
        value={isStale ? toText(value) : typed}
        isDisabled={form.isDisabled}
        onChange={(text) => {
          setTyped(text);
          const next = parse(text);
          if (next.error === null) form.set(path, next.value);
        }}
      />
      {help !== undefined && <p class="help">{help}</p>}
      {fault !== null && <p class="fault">{fault}</p>}
    </div>
  );
}

function toText(value: unknown): string {
  return value === undefined || value === null ? '' : JSON.stringify(value, null, 2);
}

function parse(text: string): { readonly value: unknown; readonly error: string | null } {
  if (text.trim() === '') return { value: undefined, error: null };
  try {
    return { value: JSON.parse(text), error: null };
  } catch (thrown) {
    return { value: undefined, error: texts.form.noJson(thrown instanceof Error ? thrown.message : '') };
  }
}
