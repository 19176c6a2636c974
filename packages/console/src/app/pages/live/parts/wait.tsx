import type { JSX } from 'preact';
import { texts } from '../../../texts/en.ts';
import { formatLatency } from '../../../ui/values/format.ts';
import { useSecondsSince } from './elapsed.tsx';
import type { FloorView } from './floor.ts';

const { waits } = texts.live;

/** The reason why the agent waits: a countdown bar if the remaining time is known, else the elapsed seconds. */
export function Wait({ floor }: { readonly floor: FloorView | null }): JSX.Element {
  const words = floor === null ? null : wordsOf(floor);
  if (floor === null || words === null) return <span class="wait" />;
  const { remaining_ms: remainingMs, at } = floor.state;
  return (
    <span class="wait">
      <span class="wait-words">
        {words}
        {remainingMs === null ? (
          <Since floor={floor} />
        ) : (
          <span class="muted"> · {waits.more(formatLatency(remainingMs))}</span>
        )}
      </span>
      {remainingMs !== null && (
        <span class="countdown" aria-hidden="true">
          <i key={at} class="countdown-bar" style={{ animationDuration: `${remainingMs}ms` }} />
        </span>
      )}
    </span>
  );
}

function Since({ floor }: { readonly floor: FloorView }): JSX.Element | null {
  const seconds = useSecondsSince(floor.waitsSinceMs);
  return seconds < 1 ? null : <span class="muted"> · {waits.for(seconds)}</span>;
}

function wordsOf({ state: { waits_for: wait, tools } }: FloorView): string | null {
  if (wait === null) return null;
  if (wait !== 'tool') return waits[wait] ?? wait;
  return tools.length === 0 ? waits.toolWithoutName : waits.tool(tools.join(', '));
}
