import type { Call } from '@va/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useAction } from '../../data/use-action.ts';
import { navigate } from '../../router/route.ts';
import type { ConsoleSession } from '../../session/session.ts';
import { texts } from '../../texts/en.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';

/** Erases a call after a confirmation. */
export function EraseCall(props: {
  readonly session: ConsoleSession;
  readonly call: Call;
  readonly onErased: () => void;
}): JSX.Element {
  const { session, call, onErased } = props;
  const words = texts.call.erase;
  const [isAsking, setAsking] = useState(false);
  const { isBusy, error, run } = useAction();
  const isOver = call.status === 'ended' || call.status === 'failed';
  const erase = (): Promise<void> =>
    run(async () => {
      await session.client.calls.delete(call.id);
      onErased();
      navigate(['calls']);
    });
  return (
    <>
      <Button
        kind="danger"
        isDisabled={!isOver}
        {...(isOver ? {} : { title: words.isLive })}
        onClick={() => setAsking(true)}
      >
        {words.action}
      </Button>
      {isAsking && (
        <Dialog title={words.title} onClose={() => setAsking(false)}>
          <p>{words.explanation}</p>
          {error !== null && <ErrorNotice error={error} />}
          <footer class="actions">
            <Button onClick={() => setAsking(false)}>{texts.dialog.cancel}</Button>
            <Button kind="danger" isBusy={isBusy} onClick={() => void erase()}>
              {words.confirm}
            </Button>
          </footer>
        </Dialog>
      )}
    </>
  );
}
