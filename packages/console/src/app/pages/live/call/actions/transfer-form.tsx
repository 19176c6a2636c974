import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { texts } from '../../../../texts/en.ts';
import type { RunCommand } from '../use-commands.ts';
import { CommandForm } from './command-form.tsx';
import { useDraft } from './use-draft.ts';

const modes = ['blind', 'warm'] as const;

/** Transfers the call to another number. */
export function TransferForm({ run }: { readonly run: RunCommand }): JSX.Element {
  const draft = useDraft();
  const [mode, setMode] = useState<(typeof modes)[number]>('blind');
  const id = useId();
  const { transfer, did } = texts.live.actions;
  const send = (destination: string): Promise<boolean> =>
    run(did.transfer(destination, mode), { type: 'transfer', destination, mode });
  return (
    <CommandForm
      draft={draft}
      label={transfer.label}
      help={transfer.help}
      submit={transfer.submit}
      maxLength={255}
      onSend={send}
    >
      <fieldset class="choices">
        <legend>{transfer.mode}</legend>
        {modes.map((each) => (
          <label key={each}>
            <input type="radio" name={id} checked={each === mode} onChange={() => setMode(each)} />
            <span>{transfer[each]}</span>
          </label>
        ))}
      </fieldset>
    </CommandForm>
  );
}
