import type { JSX } from 'preact';
import { texts } from '../../../texts/en.ts';
import type { ToolItem } from './items.ts';

/** A running or finished tool call with expandable arguments and result. */
export function ToolLine({ item, time }: { readonly item: ToolItem; readonly time: string }): JSX.Element {
  const { transcript } = texts.live;
  const { outcome } = item;
  const state = outcome === null ? 'running' : outcome.ok ? 'done' : 'failed';
  const kinds = { running: 'badge', done: 'badge good', failed: 'badge bad' };
  return (
    <li class="line tool">
      <time>{time}</time>
      <details class="line-body">
        <summary>
          <span>{transcript.tool(item.name)}</span>
          <span class={kinds[state]}>{transcript[state]}</span>
        </summary>
        <p class="muted small">{transcript.arguments}</p>
        <pre>{toText(item.arguments)}</pre>
        {outcome !== null && (
          <>
            <p class="muted small">{outcome.ok ? transcript.result : transcript.error}</p>
            <pre>{toText(outcome.ok ? outcome.result : outcome.error)}</pre>
          </>
        )}
      </details>
    </li>
  );
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '–');
}
