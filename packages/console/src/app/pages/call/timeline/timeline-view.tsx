import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { texts } from '../../../texts/en.ts';
import { formatDuration } from '../../../ui/values/format.ts';
import { JsonBlock } from '../../../ui/values/json-block.tsx';
import { Unheard } from '../../../ui/values/unheard.tsx';
import type { NoteKind, TimelineItem } from './timeline.ts';
import { Waterfall } from './waterfall-view.tsx';

const noteNames: Readonly<Record<NoteKind, string>> = {
  dtmf: texts.call.timeline.keypad,
  language: texts.call.timeline.language,
  'answered-by': texts.call.timeline.answeredBy,
  transfer: texts.call.timeline.transfer,
  'take-over': texts.call.timeline.takeOver,
  budget: texts.call.timeline.budget,
};

export interface TimelineProps {
  readonly items: readonly TimelineItem[];
  /** Index of the line that is played. */
  readonly current: number | null;
  /** Null without a recording. */
  readonly onSeek: ((atMs: number) => void) | null;
}

/** Transcript, tool calls and other events of a call in order. */
export function Timeline({ items, current, onSeek }: TimelineProps): JSX.Element {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    if (current === null || list.current === null) return;
    const line = list.current.children[current];
    if (line instanceof HTMLElement) scrollWithin(list.current, line);
  }, [current]);
  if (items.length === 0) return <p class="muted">{texts.call.timeline.none}</p>;
  return (
    <ol class="timeline rows" ref={list}>
      {items.map((item, index) => (
        <li key={index} class={item.type} aria-current={index === current ? 'true' : undefined}>
          <Item item={item} onSeek={onSeek} />
        </li>
      ))}
    </ol>
  );
}

/** Scrolls the list only, never the page. */
function scrollWithin(list: HTMLElement, line: HTMLElement): void {
  const top = line.offsetTop - list.offsetTop;
  const isInView = top >= list.scrollTop && top + line.offsetHeight <= list.scrollTop + list.clientHeight;
  if (!isInView) list.scrollTop = top - list.clientHeight / 3;
}

function Item({ item, onSeek }: { readonly item: TimelineItem } & Pick<TimelineProps, 'onSeek'>): JSX.Element {
  if (item.type === 'line') return <Line line={item} onSeek={onSeek} />;
  if (item.type === 'latency') return <Waterfall latency={item.latency} />;
  if (item.type === 'tool') return <Tool tool={item} />;
  return (
    <p class="aside muted small">
      {noteNames[item.kind]}: {item.text}
    </p>
  );
}

function Line(props: {
  readonly line: Extract<TimelineItem, { type: 'line' }>;
  readonly onSeek: TimelineProps['onSeek'];
}): JSX.Element {
  const { line, onSeek } = props;
  const { caller, agent, seek, interrupted } = texts.call.timeline;
  const { fromMs } = line;
  const time = fromMs === null ? null : formatDuration(fromMs / 1_000);
  return (
    <div class={`utterance ${line.role}`}>
      <span class="speaker small">{line.role === 'user' ? caller : agent}</span>
      {time !== null &&
        fromMs !== null &&
        (onSeek === null ? (
          <span class="muted small">{time}</span>
        ) : (
          <button class="seek" type="button" aria-label={seek(time)} onClick={() => onSeek(fromMs)}>
            {time}
          </button>
        ))}
      <p>
        {line.text}
        <Unheard text={line.unheard} />
        {line.isInterrupted && ' '}
        {line.isInterrupted && <span class="badge warn interrupted">{interrupted}</span>}
      </p>
    </div>
  );
}

function Tool({ tool }: { readonly tool: Extract<TimelineItem, { type: 'tool' }> }): JSX.Element {
  const { request, answer, failed, noAnswer } = texts.call.tool;
  const { name, result } = tool;
  return (
    <details class="tool">
      <summary>
        <code>{name}</code> {result === null && <span class="muted">{noAnswer}</span>}
        {result?.ok === false && <span class="badge failed">{failed}</span>}
      </summary>
      <h3>{request}</h3>
      <JsonBlock value={tool.request} />
      {result !== null && (
        <>
          <h3>{answer}</h3>
          <JsonBlock value={result.ok ? (result.result ?? null) : result.error} />
        </>
      )}
    </details>
  );
}
