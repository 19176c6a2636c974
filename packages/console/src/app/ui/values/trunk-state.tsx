import type { TrunkHealth } from '@va/client';
import type { ComponentChildren, JSX } from 'preact';
import { trunkHealthTexts as words } from '../../texts/en/trunk-health.ts';
import { formatLatency } from './format.ts';
import { RelativeTime } from './relative-time.tsx';

type TrunkSignals = TrunkHealth['nodes'][number];

const colours = { reachable: 'good', unreachable: 'bad', degraded: 'warn', unknown: '' } as const;

/** The health state of a trunk, and the signals that it is derived from. */
export function TrunkState({ health }: { readonly health: TrunkHealth }): JSX.Element {
  const { state, nodes } = health;
  const down = nodes.filter((each) => each.state === 'unreachable');
  const decisive = latest(nodes, (each) => (each.state === state || state === 'degraded' ? each.since : null));
  const checked = latest(nodes, (each) => each.checked_at);
  const webhook = latest(nodes, (each) => each.last_webhook_at);
  const answer = latest(nodes, (each) => each.last_answer_at);
  const failure = latest(nodes, (each) => each.last_failure?.at ?? null);
  return (
    <div class="trunk-state">
      <div>
        <span class={`badge ${colours[state]}`}>{words.states[state]}</span>{' '}
        {decisive !== null && <Sign label={words.since} at={decisive.since} />}
      </div>
      {state === 'degraded' && <div>{words.nodes(down.length, nodes.length)}</div>}
      {checked !== null && <Sign label={words.checked} at={checked.checked_at} more={resultOf(checked)} />}
      {webhook !== null && <Sign label={words.webhook} at={webhook.last_webhook_at} />}
      {answer !== null && <Sign label={words.answer} at={answer.last_answer_at} />}
      {failure?.last_failure != null && (
        <Sign label={words.failure(failure.last_failure.reason)} at={failure.last_failure.at} />
      )}
      {nodes.length === 0 && <span>{words.noSigns}</span>}
    </div>
  );
}

function Sign(props: {
  readonly label: string;
  readonly at: string | null;
  readonly more?: ComponentChildren;
}): JSX.Element | null {
  const { label, at, more } = props;
  if (at === null) return null;
  return (
    <span>
      {label} <RelativeTime at={at} />
      {more != null && <>, {more}</>}
    </span>
  );
}

function resultOf({ reason, round_trip_ms: ms }: TrunkSignals): string | null {
  return reason ?? (ms === null ? null : words.roundTrip(formatLatency(ms)));
}

/** Returns the signals of the node with the latest instant; null if no node has one. */
function latest(
  nodes: readonly TrunkSignals[],
  instantOf: (facts: TrunkSignals) => string | null,
): TrunkSignals | null {
  const known = nodes.filter((each) => instantOf(each) !== null);
  return known.sort((a, b) => ((instantOf(a) ?? '') < (instantOf(b) ?? '') ? 1 : -1))[0] ?? null;
}
