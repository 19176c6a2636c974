import { ApiError } from '@va/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { hrefOf } from '../../../router/fragment.ts';
import { type ConsoleSession, can } from '../../../session/session.ts';
import { talkTexts } from '../../../texts/en/agents.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { formatLatency } from '../../../ui/values/format.ts';
import { type Talk, type TalkLine, useTalk } from './use-talk.ts';

export interface TalkPanelProps {
  readonly session: ConsoleSession;
  readonly agentId: string;
  readonly hasChanges: boolean;
}

/** Calls the agent from the browser. */
export function TalkPanel({ session, agentId, hasChanges }: TalkPanelProps): JSX.Element {
  const talk = useTalk(session, agentId);
  const isOver = talk.state === 'idle' || talk.state === 'ended';
  const isUnavailable = talk.error instanceof ApiError && talk.error.status === 503;
  const isAllowed = can(session.scopes, 'calls:write');
  return (
    <aside class="card talk" aria-label={talkTexts.title}>
      <header>
        <h2>{talkTexts.title}</h2>
        <span class={`badge ${isOver ? '' : 'good'}`} role="status">
          {talkTexts.states[talk.state]}
        </span>
      </header>
      {!isAllowed && <p class="notice warn">{talkTexts.missingScope}</p>}
      {isUnavailable && <p class="notice warn">{talkTexts.unavailable}</p>}
      {talk.error !== null && !isUnavailable && <ErrorNotice error={talk.error} />}
      {hasChanges && isAllowed && <p class="help">{talkTexts.unsaved}</p>}
      {talk.isSuspended && <p class="notice warn">{talkTexts.suspended}</p>}
      <div class="actions">
        {isOver ? (
          <Button kind="primary" isDisabled={!isAllowed || isUnavailable} onClick={() => void talk.start()}>
            {talkTexts.start}
          </Button>
        ) : (
          <>
            <Button kind="danger" onClick={talk.hangUp}>
              {talkTexts.end}
            </Button>
            <Button onClick={() => talk.mute(!talk.isMuted)}>{talk.isMuted ? talkTexts.unmute : talkTexts.mute}</Button>
          </>
        )}
        {talk.latency !== null && (
          <span class="muted small">
            {talkTexts.latency} {formatLatency(talk.latency.total_ms)}
          </span>
        )}
      </div>
      <Transcript lines={talk.lines} />
      {!isOver && <WrittenWords talk={talk} />}
      {talk.endReason !== null && (
        <p class="muted small">
          {talkTexts.endedBecause(talk.endReason)}{' '}
          {talk.callId !== null && can(session.scopes, 'calls:read') && (
            <a href={hrefOf(['calls', talk.callId])}>{talkTexts.openCall}</a>
          )}
        </p>
      )}
    </aside>
  );
}

function Transcript({ lines }: { readonly lines: readonly TalkLine[] }): JSX.Element {
  return (
    <ol class="talk-lines" aria-live="polite">
      {lines.length === 0 && <li class="muted small">{talkTexts.noTranscript}</li>}
      {lines.map((line, index) => (
        <li key={String(index)} class={line.role}>
          {line.role !== 'tool' && (
            <span class="small muted">{line.role === 'user' ? talkTexts.you : talkTexts.agent}</span>
          )}
          <span class={'final' in line && !line.final ? 'muted' : undefined}>{line.text}</span>
          {'interrupted' in line && line.interrupted && <span class="badge">{talkTexts.interrupted}</span>}
        </li>
      ))}
    </ol>
  );
}

function WrittenWords({ talk }: { readonly talk: Talk }): JSX.Element {
  const [text, setText] = useState('');
  return (
    <form
      class="actions talk-text"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() === '') return;
        talk.sendText(text.trim());
        setText('');
      }}
    >
      <input
        aria-label={talkTexts.type}
        placeholder={talkTexts.type}
        maxLength={4_000}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit">{talkTexts.send}</Button>
    </form>
  );
}
