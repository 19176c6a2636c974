import type { JSX } from 'preact';
import { texts } from '../../../texts/en.ts';
import { formatLatency } from '../../../ui/values/format.ts';
import { Sides } from '../parts/sides.tsx';
import { Wait } from '../parts/wait.tsx';
import type { CallView, LastLatency } from './call-view.ts';

/** The current activity of both sides and the latency of the last turn. */
export function NowCard({ view: { floor, levels, latency } }: { readonly view: CallView }): JSX.Element {
  return (
    <section class="card now" aria-label={texts.live.columns.sides}>
      <Sides state={floor?.state ?? null} levels={levels} />
      <Wait floor={floor} />
      <dl class="figures">
        {figuresOf(latency).map(([name, ms]) => (
          <div key={name}>
            <dt class="muted small">{name}</dt>
            <dd>{formatLatency(ms)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function figuresOf(latency: LastLatency | null): readonly (readonly [string, number | null])[] {
  const { total, endpointing, model, voice } = texts.live.latency;
  return [
    [total, latency?.total_ms ?? null],
    [endpointing, latency?.endpointing_ms ?? null],
    [model, latency?.llm_first_token_ms ?? null],
    [voice, latency?.tts_first_byte_ms ?? null],
  ];
}
