import type { Call } from '@va/client';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { useAction } from '../../data/use-action.ts';
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
          <Button kind="danger" isBusy={isBusy} onClick={() => void erase()}>
            {words.confirm}
          </Button>
        </div>
      </dialog>
    </>
  );
}
