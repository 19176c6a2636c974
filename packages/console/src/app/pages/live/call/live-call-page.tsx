import './live-call.css';
import type { Call } from '@va/client';
import type { JSX } from 'preact';
import { useResource } from '../../../data/use-resource.ts';
import { hrefOf } from '../../../router/fragment.ts';
import { type ConsoleSession, can } from '../../../session/session.ts';
import { texts } from '../../../texts/en.ts';
import { BackLink } from '../../../ui/back-link.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Loading } from '../../../ui/loading.tsx';
import { PageTitle } from '../../../ui/page-title.tsx';
import { otherParty } from '../../../ui/values/other-party.ts';
import { ConnectionMark } from '../parts/connection-mark.tsx';
import { Elapsed } from '../parts/elapsed.tsx';
import { lineOf } from '../parts/parties.ts';
import { ActionPanel } from './actions/action-panel.tsx';
import { type CallView, isOver } from './call-view.ts';
import { NowCard } from './now-card.tsx';
import { SupervisionPanel } from './supervision/supervision-panel.tsx';
import { Transcript } from './transcript.tsx';
import { useCommands } from './use-commands.ts';
import { useLiveCall } from './use-live-call.ts';

export interface LiveCallPageProps {
  readonly id: string;
  readonly session: ConsoleSession;
}

/** The page of one live call. */
export function LiveCallPage({ id, session }: LiveCallPageProps): JSX.Element {
  const { client } = session;
  const { value: call, error, reload } = useResource(id, (signal) => client.calls.get(id, { signal }));
  if (call !== null) return <OpenedCall call={call} session={session} />;
  return (
    <section class="page live">
      <BackLink to={['live']}>{texts.live.back}</BackLink>
      <PageTitle title={texts.live.call} />
      {error === null ? <Loading /> : <ErrorNotice error={error} onRetry={reload} />}
    </section>
  );
}

function OpenedCall({ call, session }: { readonly call: Call; readonly session: ConsoleSession }): JSX.Element {
  const { client } = session;
  const { view, connection, error, retry, apply } = useLiveCall(client, call.id);
  const run = useCommands(client, call.id, apply);
  const startedAt = view.answeredAt ?? call.answered_at ?? call.started_at ?? call.created_at;
  const hasEnded = isOver(view);
  return (
    <section class="page live">
      <header class="page-head">
        <div>
          <BackLink to={['live']}>{texts.live.back}</BackLink>
          <PageTitle title={otherParty(call)} />
          <p class="muted small">{[lineOf(call), call.agent_name].filter(Boolean).join(' · ')}</p>
        </div>
        <div class="call-clock">
          {!hasEnded && <Elapsed since={startedAt} />}
          {!hasEnded && <ConnectionMark connection={connection} />}
        </div>
      </header>
      {error !== null && <ErrorNotice error={error} onRetry={retry} />}
      {hasEnded && <EndNotice id={call.id} view={view} />}
      <div class={hasEnded ? 'opened over' : 'opened'}>
        {!hasEnded && <NowCard view={view} />}
        <Transcript view={view} startedAt={startedAt} />
        {!hasEnded && (view.status ?? call.status) === 'in-progress' && (
          <SupervisionPanel session={session} callId={call.id} isTakenOver={view.floor?.state.is_taken_over ?? false} />
        )}
        {!hasEnded && can(session.scopes, 'calls:write') && (
          <ActionPanel
            run={run}
            isMuted={view.floor?.state.is_muted ?? false}
            isAnswered={(view.status ?? call.status) === 'in-progress'}
          />
        )}
      </div>
    </section>
  );
}

/** The end reason of the call, with a link to its record. */
function EndNotice({
  id,
  view: { status, endReason, error },
}: {
  readonly id: string;
  readonly view: CallView;
}): JSX.Element {
  const { ended, failed, endReasons, openRecord } = texts.live;
  return (
    <div class={status === 'failed' ? 'notice bad' : 'notice warn'} role="status">
      <p>
        <strong>{status === 'failed' ? failed : ended}.</strong>{' '}
        {endReason !== null && (endReasons[endReason] ?? endReason)}
      </p>
      {error !== null && <p class="small">{error}</p>}
      <a href={hrefOf(['calls', id])}>{openRecord}</a>
    </div>
  );
}
