import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { hrefOf } from '../../router/fragment.ts';
import { texts } from '../../texts/en.ts';
import { isTyping } from '../../ui/keyboard/keys.ts';
import { useRowMoves } from '../../ui/keyboard/use-row-moves.ts';
import { formatDuration, formatLatency, formatShortTime } from '../../ui/values/format.ts';
import { otherParty } from '../../ui/values/other-party.ts';
import { endOf } from '../call/describe-call.ts';
import type { CallPages, CallRow } from './call-pages.ts';
import { headPx, rowPx, scrollTopFor, windowOf } from './row-window.ts';

/** Time without scrolling before the visible rows are loaded. */
const restMs = 80;

/** The virtual table of calls: only the visible rows are rendered. */
export function CallTable({ pages, total }: { readonly pages: CallPages; readonly total: number }): JSX.Element {
  const frame = useRef<HTMLDivElement>(null);
  const [scrollTop, setScrollTop] = useState(pages.scrollTop);
  const [viewPx, setViewPx] = useState(600);
  const [selected, setSelected] = useState(pages.selected);
  /** True from a keyboard move until its row, which may have to be loaded, is focused. */
  const awaitsFocus = useRef(pages.selected !== null);
  const { loads } = pages;
  const round = loads.value;
  const { first, end, abovePx, belowPx } = windowOf({ total, scrollTop, viewPx });

  useLayoutEffect(() => {
    const { current } = frame;
    if (current === null) return;
    const observer = new ResizeObserver(() => setViewPx(current.clientHeight));
    observer.observe(current);
    current.scrollTop = pages.scrollTop;
    setScrollTop(current.scrollTop);
    setSelected(pages.selected);
    return () => observer.disconnect();
  }, [pages]);

  useEffect(() => {
    const timer = setTimeout(() => pages.show(first, end), restMs);
    return () => clearTimeout(timer);
  }, [pages, first, end, round]);

  useLayoutEffect(() => {
    if (selected === null || !awaitsFocus.current) return;
    const link = frame.current?.querySelector<HTMLElement>(`[aria-rowindex="${selected + 2}"] a`);
    const isBusy = isTyping(document.activeElement);
    if (!isBusy) link?.focus({ preventScroll: true });
    awaitsFocus.current = !isBusy && link == null;
  }, [selected, round, first, end]);

  useRowMoves((by) => {
    // Keys may repeat faster than rows are rendered.
    const before = pages.selected;
    const next = Math.max(0, Math.min(total - 1, before === null ? 0 : before + by));
    pages.selected = next;
    awaitsFocus.current ||= next !== before;
    setSelected(next);
    const { current } = frame;
    if (current !== null) current.scrollTop = scrollTopFor(next, { total, scrollTop: current.scrollTop, viewPx });
  });

  const indexes = Array.from({ length: end - first }, (_, at) => first + at);
  return (
    <div
      class="table-frame call-frame"
      ref={frame}
      style={{ '--row': `${rowPx}px`, '--head': `${headPx}px` }}
      onScroll={(event) => {
        pages.scrollTop = event.currentTarget.scrollTop;
        setScrollTop(pages.scrollTop);
      }}
    >
      <table class="call-table" aria-label={texts.calls.title} aria-rowcount={total + 1}>
        <Head />
        <tbody>
          {abovePx > 0 && <Space heightPx={abovePx} />}
          {indexes.map((index) => (
            <Row key={index} index={index} call={pages.row(index)} isSelected={index === selected} />
          ))}
          {belowPx > 0 && <Space heightPx={belowPx} />}
        </tbody>
      </table>
    </div>
  );
}

function Head(): JSX.Element {
  const { columns } = texts.calls;
  return (
    <thead>
      <tr aria-rowindex={1}>
        <th scope="col" class="when">
          {columns.when}
        </th>
        <th scope="col" class="who">
          {columns.who}
        </th>
        <th scope="col" class="agent">
          {columns.agent}
        </th>
        <th scope="col" class="figure number">
          {columns.duration}
        </th>
        <th scope="col" class="figure number">
          {columns.latency}
        </th>
        <th scope="col" class="end">
          {columns.end}
        </th>
      </tr>
    </thead>
  );
}

function Space({ heightPx }: { readonly heightPx: number }): JSX.Element {
  return (
    <tr class="space">
      <td style={{ height: `${heightPx}px` }} />
    </tr>
  );
}

function Row(props: {
  readonly index: number;
  readonly call: CallRow | null;
  readonly isSelected: boolean;
}): JSX.Element {
  const { index, call, isSelected } = props;
  if (call === null) {
    return (
      <tr class="waiting" aria-rowindex={index + 2}>
        <td>{texts.loading}</td>
      </tr>
    );
  }
  return (
    <tr class={isSelected ? 'selected' : undefined} aria-rowindex={index + 2}>
      <td>
        <a href={hrefOf(['calls', call.id])}>{formatShortTime(call.created_at)}</a>
      </td>
      <td class="who">{otherParty(call)}</td>
      <td class="agent">{call.agent_name ?? '–'}</td>
      <td class="figure number">{formatDuration(call.durationSeconds)}</td>
      <td class="figure number">{formatLatency(call.latencyMs)}</td>
      <td class="end">
        <span class={`badge ${call.status}`}>{endOf(call)}</span>
      </td>
    </tr>
  );
}
