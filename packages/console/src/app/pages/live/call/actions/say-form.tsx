import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { texts } from '../../../../texts/en.ts';
import type { RunCommand } from '../use-commands.ts';
import { CommandForm, Option } from './command-form.tsx';
import { useDraft } from './use-draft.ts';

/** Makes the agent say a text. */
export function SayForm({ run }: { readonly run: RunCommand }): JSX.Element {
  const draft = useDraft();
  const [endsAfter, setEndsAfter] = useState(false);
  const { say, did } = texts.live.actions;
  const send = async (content: string): Promise<boolean> => {
    const text = endsAfter ? did.sayAndEnd(content) : did.say(content);
    const isDone = await run(text, { type: 'say', content, end_after: endsAfter });
    if (isDone) setEndsAfter(false);
    return isDone;
  };
  return (
    <CommandForm draft={draft} label={say.label} submit={say.submit} maxLength={10_000} isLong onSend={send}>
      <Option label={say.endAfter} isOn={endsAfter} onChange={setEndsAfter} />
    </CommandForm>
  );
}
