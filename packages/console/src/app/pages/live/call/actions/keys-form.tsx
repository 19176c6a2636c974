import type { JSX } from 'preact';
import { texts } from '../../../../texts/en.ts';
import type { RunCommand } from '../use-commands.ts';
import { CommandForm } from './command-form.tsx';
import { useDraft } from './use-draft.ts';

/** Sends DTMF digits to the far end. */
export function KeysForm({ run }: { readonly run: RunCommand }): JSX.Element {
  const draft = useDraft();
  const { keys, did } = texts.live.actions;
  const send = (digits: string): Promise<boolean> => run(did.keys(digits), { type: 'send-dtmf', digits });
  return (
    <CommandForm
      draft={draft}
      label={keys.label}
      help={keys.help}
      submit={keys.submit}
      maxLength={100}
      inputMode="tel"
      onSend={send}
    />
  );
}
