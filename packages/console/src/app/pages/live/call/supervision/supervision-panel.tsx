import type { JSX } from 'preact';
import { type ConsoleSession, can } from '../../../../session/session.ts';
import { texts } from '../../../../texts/en.ts';
import { Button } from '../../../../ui/button.tsx';
import { confirm } from '../../../../ui/dialog/confirm.tsx';
import { ErrorNotice } from '../../../../ui/error-notice.tsx';
import { type Supervision, useSupervision } from './use-supervision.ts';

export interface SupervisionPanelProps {
  readonly session: ConsoleSession;
  readonly callId: string;
  /** True if a supervisor has taken over the call, in this page or another. */
  readonly isTakenOver: boolean;
}

/** Lets the user listen to the call, and take it over from the agent. */
export function SupervisionPanel({ session, callId, isTakenOver }: SupervisionPanelProps): JSX.Element {
  const supervision = useSupervision(session, callId);
  const { mode, isSuspended, isRefused, error } = supervision;
  const { supervision: words } = texts.live;
  return (
    <section class="card supervision" aria-label={words.title}>
      <p class="small muted" role="status">
        {statusOf(supervision, isTakenOver)}
      </p>
      <div class="actions">
        {mode === 'talk' ? (
          <TalkButtons supervision={supervision} />
        ) : (
          <ListenButtons
            supervision={supervision}
            mayTakeOver={can(session.scopes, 'calls:write')}
            isTakenOver={isTakenOver}
          />
        )}
      </div>
      {isSuspended && <p class="notice warn">{words.suspended}</p>}
      {isRefused && <p class="notice warn">{words.refused}</p>}
      {error !== null && <ErrorNotice error={error} />}
    </section>
  );
}

function ListenButtons(props: {
  readonly supervision: Supervision;
  readonly mayTakeOver: boolean;
  readonly isTakenOver: boolean;
}): JSX.Element {
  const { supervision, mayTakeOver, isTakenOver } = props;
  const { supervision: words } = texts.live;
  const { mode, join, leave } = supervision;
  const takeOver = async (): Promise<void> => {
    if (await confirm(words.confirm)) await join('talk');
  };
  return (
    <>
      {mode === null ? (
        <Button onClick={() => void join('listen')}>{words.listen}</Button>
      ) : (
        <Button onClick={leave}>{words.stopListening}</Button>
      )}
      {mayTakeOver && (
        <Button isDisabled={isTakenOver} onClick={() => void takeOver()}>
          {words.takeOver}
        </Button>
      )}
    </>
  );
}

function TalkButtons({ supervision: { isMuted, leave, mute } }: { readonly supervision: Supervision }): JSX.Element {
  const { supervision: words } = texts.live;
  return (
    <>
      <Button kind="primary" onClick={leave}>
        {words.handBack}
      </Button>
      <Button onClick={() => mute(!isMuted)}>{isMuted ? words.unmute : words.mute}</Button>
    </>
  );
}

function statusOf({ mode, state, isMuted }: Supervision, isTakenOver: boolean): string {
  const { status } = texts.live.supervision;
  if (mode === null) return isTakenOver ? status.taken : status.apart;
  if (state === 'connecting' || state === 'idle') return status.connecting;
  if (state === 'reconnecting') return status.reconnecting;
  if (mode === 'listen') return status.listening;
  return isMuted ? status.talkingMuted : status.talking;
}
