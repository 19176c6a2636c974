import './call.css';
import type { Call } from '@va/client';
import type { JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { useResource } from '../../data/use-resource.ts';
import { type ConsoleSession, can } from '../../session/session.ts';
import { texts } from '../../texts/en.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Loading } from '../../ui/loading.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { formatTime } from '../../ui/values/format.ts';
import { otherParty } from '../../ui/values/other-party.ts';
import { CallDetails } from './call-details.tsx';
import { CallFacts } from './call-facts.tsx';
import { CallWebhooks } from './call-webhooks.tsx';
import { endOf } from './describe-call.ts';
import { EraseCall } from './erase-call.tsx';
import { Player } from './recording/player.tsx';
import { useAudio } from './recording/use-audio.ts';
import { lineAt, toTimeline } from './timeline/timeline.ts';
import { Timeline } from './timeline/timeline-view.tsx';
import { useCallEvents } from './use-call-events.ts';

export interface CallPageProps {
  readonly session: ConsoleSession;
  readonly id: string;
  readonly onErased: () => void;
}

/** One call: timeline, recording, latency, cost and webhooks. */
export function CallPage({ session, id, onErased }: CallPageProps): JSX.Element {
  const { value, error, reload } = useResource(`call ${id}`, (signal) => session.client.calls.get(id, { signal }));
  const call = value?.id === id ? value : null;
  const events = useCallEvents(session.client, id);
  const isLive = call?.status === 'in-progress';
  useEffect(() => {
    if (events.isComplete && isLive) reload();
  }, [events.isComplete]);
  return (
    <section class="page call">
      <header class="page-head">
        <div>
          <BackLink to={['calls']}>{texts.call.back}</BackLink>
          <PageTitle title={call === null ? texts.call.title : texts.call.titleWith(otherParty(call))}>
            {call !== null && <span class={`badge ${call.status}`}>{endOf(call)}</span>}
          </PageTitle>
        </div>
        {call !== null && can(session.scopes, 'calls:write') && (
          <EraseCall session={session} call={call} onErased={onErased} />
        )}
      </header>
      {error !== null && <ErrorNotice error={error} onRetry={reload} />}
      {call === null && error === null && <Loading />}
      {call !== null && <Content session={session} call={call} events={events} />}
    </section>
  );
}

function Content(props: {
  readonly session: ConsoleSession;
  readonly call: Call;
  readonly events: ReturnType<typeof useCallEvents>;
}): JSX.Element {
  const { session, call, events } = props;
  const items = useMemo(() => toTimeline(call, events.events), [call, events.events]);
  const audio = useAudio(session, call.id);
  const isRecorded = call.recording_url !== null;
  const { value: peaks, error } = useResource(`peaks ${call.id} ${isRecorded}`, async (signal) =>
    isRecorded ? await session.client.calls.peaks(call.id, {}, { signal }) : null,
  );
  const hasStarted = audio.isPlaying || audio.positionMs > 0;
  return (
    <>
      {call.error !== null && <p class="notice bad">{call.error}</p>}
      {call.erased_at !== null && <p class="notice">{texts.call.erasedAt(formatTime(call.erased_at))}</p>}
      <CallFacts call={call} />
      {isRecorded ? (
        <Player call={call} audio={audio} peaks={peaks} />
      ) : (
        <p class="muted small">{texts.call.player.none}</p>
      )}
      {error !== null && <ErrorNotice error={error} />}
      <div class="columns">
        <section class="card stack">
          <h2>{texts.call.timeline.title}</h2>
          {events.error !== null && <ErrorNotice error={events.error} />}
          <Timeline
            items={items}
            current={hasStarted ? lineAt(items, audio.positionMs) : null}
            onSeek={isRecorded ? (atMs) => audio.play(atMs) : null}
          />
        </section>
        <div class="stack side">
          <CallDetails call={call} />
          <CallWebhooks session={session} callId={call.id} />
        </div>
      </div>
    </>
  );
}
