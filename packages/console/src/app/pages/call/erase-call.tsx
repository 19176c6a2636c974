import type { Call } from '@va/client';
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { navigate } from '../../router/route.ts';
import type { Session } from '../../session/session.ts';
import { texts } from '../../texts/en.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';

/** Erases a call, once that is confirmed. */
export function EraseCall(props: {
  readonly session: Session;
  readonly call: Call;
  readonly onErased: () => void;
}): JSX.Element {
  const { session, call, onErased } = props;
  const words = texts.call.erase;
  const dialog = useRef<HTMLDialogElement>(null);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const isOver = call.status === 'ended' || call.status === 'failed';
  const erase = (): void => {
    setBusy(true);
    setError(null);
    session.client.calls
      .delete(call.id)
      .then(() => {
        onErased();
        navigate(['calls']);
      }, setError)
      .finally(() => setBusy(false));
  };
  return (
    <>
      <Button
        kind="danger"
        isDisabled={!isOver}
        {...(isOver ? {} : { title: words.isLive })}
        onClick={() => dialog.current?.showModal()}
      >
        {words.action}
      </Button>
      <dialog class="erase" ref={dialog} aria-labelledby="erase-title">
        <h2 id="erase-title">{words.title}</h2>
        <p>{words.explanation}</p>
        {error !== null && <ErrorNotice error={error} />}
        <div class="actions">
          <Button onClick={() => dialog.current?.close()}>{words.cancel}</Button>
          <Button kind="danger" isBusy={isBusy} onClick={erase}>
            {words.confirm}
          </Button>
        </div>
      </dialog>
    </>
  );
}
