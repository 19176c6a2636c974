import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { texts } from '../../../texts/en.ts';
import { formatDuration } from '../../../ui/values/format.ts';
import { Unheard } from '../../../ui/values/unheard.tsx';
import type { CallView } from './call-view.ts';
import { CommandLine } from './command-line.tsx';
import type { LiveCallItem, WordsItem } from './items.ts';
import { ToolLine } from './tool-line.tsx';

/** Distance from the end, in pixels, within which the transcript scrolls with new entries. */
const nearEndPx = 40;

/** The transcript so far, with the interim text below. Follows the end until the user scrolls away. */
export function Transcript({ view, startedAt }: { readonly view: CallView; readonly startedAt: string }): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const [follows, setFollows] = useState(true);
  const { items, partial, speech } = view;
  useLayoutEffect(() => {
    const element = box.current;
    if (follows && element !== null) element.scrollTop = element.scrollHeight;
  }, [follows, items, partial, speech]);
  return (
    <section class="card transcript" aria-label={texts.live.transcript.title}>
      <div
        ref={box}
        class="lines"
        role="log"
        aria-label={texts.live.transcript.title}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) =>
          setFollows(scrollHeight - scrollTop - clientHeight < nearEndPx)
        }
      >
        {items.length === 0 && <p class="muted">{texts.live.transcript.none}</p>}
        <ol>
          {items.map((item) => (
            <Line key={item.key} item={item} startedAt={startedAt} />
          ))}
        </ol>
        <ol class="passing" aria-live="off">
          {speech.map(({ text, at }) => (
            <Said key={at} by="assistant" mark={texts.live.transcript.beginsToSay} isPartial>
              {text}
            </Said>
          ))}
          {partial !== null && (
            <Said by="user" mark={texts.live.transcript.soFar} isPartial>
              {partial.text}
            </Said>
          )}
        </ol>
      </div>
      {!follows && (
        <button class="button plain newest" type="button" onClick={() => setFollows(true)}>
          {texts.live.transcript.newest}
        </button>
      )}
    </section>
  );
}

function Line({ item, startedAt }: { readonly item: LiveCallItem; readonly startedAt: string }): JSX.Element {
  const time = formatDuration(Math.max(0, (Date.parse(item.at) - Date.parse(startedAt)) / 1_000));
  switch (item.kind) {
    case 'words':
      return (
        <Said by={item.role} time={time} mark={item.isInterrupted ? texts.live.transcript.interrupted : null}>
          {item.text}
          <Unheard text={item.unheard} />
        </Said>
      );
    case 'tool':
      return <ToolLine item={item} time={time} />;
    case 'command':
      return <CommandLine command={item} time={time} />;
    case 'note':
      return (
        <li class="line note">
          <time>{time}</time>
          <span class="line-body muted">{item.text}</span>
        </li>
      );
  }
}

function Said(props: {
  readonly by: WordsItem['role'];
  readonly children: ComponentChildren;
  readonly time?: string;
  /** Note about the entry, such as that it was interrupted. */
  readonly mark: string | null;
  readonly isPartial?: boolean;
}): JSX.Element {
  const { by, children, time = '', mark, isPartial = false } = props;
  return (
    <li class={`line said ${by}${isPartial ? ' partial' : ''}`}>
      <time>{time}</time>
      <span class="line-body">
        <span class="line-head">
          <strong>{texts.live.speakers[by]}</strong>
          {mark !== null && <span class={isPartial ? 'muted small' : 'badge warn'}>{mark}</span>}
        </span>
        <span class="line-text">{children}</span>
      </span>
    </li>
  );
}
