import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { texts } from '../../../../texts/en.ts';
import { Button } from '../../../../ui/button.tsx';
import { confirm } from '../../../../ui/dialog/confirm.tsx';
import type { RunCommand } from '../use-commands.ts';

/** Ends the call after a confirmation. */
export function EndButton({ run }: { readonly run: RunCommand }): JSX.Element {
  const [isEnding, setEnding] = useState(false);
  const { actions } = texts.live;
  const end = async (): Promise<void> => {
    if (!(await confirm(actions.confirmEnd))) return;
    setEnding(true);
    // Stays busy after success: the button disappears when the call ends.
    if (!(await run(actions.did.end, { type: 'end-call' }))) setEnding(false);
  };
  return (
    <Button kind="danger" isBusy={isEnding} onClick={() => void end()}>
      {isEnding ? actions.ending : actions.end}
    </Button>
  );
}
