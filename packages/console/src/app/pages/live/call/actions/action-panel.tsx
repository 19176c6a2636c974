import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { texts } from '../../../../texts/en.ts';
import type { RunCommand } from '../use-commands.ts';
import { ContextForm } from './context-form.tsx';
import { EndButton } from './end-button.tsx';
import { KeysForm } from './keys-form.tsx';
import { MuteButton } from './mute-button.tsx';
import { SayForm } from './say-form.tsx';
import { TransferForm } from './transfer-form.tsx';

const forms = { say: SayForm, context: ContextForm, keys: KeysForm, transfer: TransferForm };
type ActionKind = keyof typeof forms;
const kinds = Object.keys(forms) as readonly ActionKind[];

export interface ActionPanelProps {
  readonly run: RunCommand;
  readonly isMuted: boolean;
  readonly isAnswered: boolean;
}

/** Commands for the call. The draft of a form stays when another tab is used. */
export function ActionPanel({ run, isMuted, isAnswered }: ActionPanelProps): JSX.Element {
  const [kind, setKind] = useState<ActionKind>('say');
  const { actions } = texts.live;
  return (
    <section class="card action-panel" aria-label={actions.title}>
      <div class="actions">
        <MuteButton run={run} isMuted={isMuted} isDisabled={!isAnswered} />
        <EndButton run={run} />
      </div>
      {isAnswered ? (
        <>
          <fieldset class="segments">
            <legend class="visually-hidden">{actions.title}</legend>
            {kinds.map((each) => (
              <button key={each} type="button" aria-pressed={each === kind} onClick={() => setKind(each)}>
                {actions.kinds[each]}
              </button>
            ))}
          </fieldset>
          {kinds.map((each) => {
            const Form = forms[each];
            return (
              <div key={each} hidden={each !== kind}>
                <Form run={run} />
              </div>
            );
          })}
        </>
      ) : (
        <p class="muted small">{actions.notYet}</p>
      )}
    </section>
  );
}
