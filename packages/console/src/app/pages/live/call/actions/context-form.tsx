import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { texts } from '../../../../texts/en.ts';
import type { RunCommand } from '../use-commands.ts';
import { CommandForm, Option } from './command-form.tsx';
import { useDraft } from './use-draft.ts';

/** Adds a message to the model's context that the caller does not hear. */
export function ContextForm({ run }: { readonly run: RunCommand }): JSX.Element {
  const draft = useDraft();
  const [answersNow, setAnswersNow] = useState(false);
  const { context, did } = texts.live.actions;
  const send = async (content: string): Promise<boolean> => {
    const text = answersNow ? did.contextAndAnswer(content) : did.context(content);
    return await run(text, { type: 'inject-context', content, trigger_response: answersNow });
  };
  return (
    <CommandForm
      draft={draft}
      label={context.label}
      help={context.help}
      submit={context.submit}
      maxLength={100_000}
      isLong
      onSend={send}
    >
      <Option label={context.answerNow} isOn={answersNow} onChange={setAnswersNow} />
    </CommandForm>
  );
}
