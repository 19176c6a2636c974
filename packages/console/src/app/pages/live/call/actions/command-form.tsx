import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
import { Button } from '../../../../ui/button.tsx';
import type { Draft } from './use-draft.ts';

export interface CommandFormProps {
  readonly draft: Draft;
  readonly label: string;
  readonly help?: string;
  readonly submit: string;
  readonly maxLength: number;
  /** True for multi-line text, which Ctrl+Enter submits. */
  readonly isLong?: boolean;
  readonly inputMode?: 'tel' | 'text';
  readonly onSend: (text: string) => Promise<boolean>;
  readonly children?: ComponentChildren;
}

/** Form of a command with one text; its options are the children. */
export function CommandForm(props: CommandFormProps): JSX.Element {
  const { draft, label, help, submit, maxLength, isLong = false, inputMode = 'text', onSend, children } = props;
  const id = useId();
  const input = {
    id,
    maxLength,
    value: draft.text,
    'aria-describedby': help === undefined ? undefined : `${id}-help`,
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) =>
      draft.setText(currentTarget.value),
  };
  const send = (): void => void draft.send(onSend);
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <div class="field">
        <label for={id}>{label}</label>
        {isLong ? (
          <textarea
            {...input}
            rows={3}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send();
            }}
          />
        ) : (
          <input {...input} type="text" inputMode={inputMode} autocomplete="off" spellcheck={false} />
        )}
        {help !== undefined && (
          <p class="help" id={`${id}-help`}>
            {help}
          </p>
        )}
      </div>
      {children}
      <div class="actions">
        <Button kind="primary" type="submit" isBusy={draft.isBusy} isDisabled={draft.text.trim() === ''}>
          {submit}
        </Button>
      </div>
    </form>
  );
}

/** A boolean option of a command. */
export function Option({
  label,
  isOn,
  onChange,
}: {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}): JSX.Element {
  return (
    <label class="option">
      <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>{label}</span>
    </label>
  );
}
