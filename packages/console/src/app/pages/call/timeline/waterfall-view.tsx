import type { JSX } from 'preact';
import { texts } from '../../../texts/en.ts';
import { formatLatency } from '../../../ui/values/format.ts';
import type { LatencyStages } from './turn-latency.ts';
import { stagesOf } from './waterfall.ts';

/** The latency stages of a reply as bars on one axis. */
export function Waterfall({ latency }: { readonly latency: LatencyStages }): JSX.Element {
  const { title, label, stages: names } = texts.call.waterfall;
  const stages = stagesOf(latency);
  const wholeMs = Math.max(1, ...stages.map(({ toMs }) => toMs));
  return (
    <details class="waterfall">
      <summary>
        {title} <strong>{formatLatency(latency.total_ms)}</strong>
      </summary>
      <ul aria-label={label}>
        {stages.map(({ name, fromMs, toMs }) => (
          <li key={name}>
            <span>{names[name]}</span>
            <span class="track" aria-hidden="true">
              <span
                class={`bar ${name}`}
                style={{ left: `${(fromMs / wholeMs) * 100}%`, width: `${((toMs - fromMs) / wholeMs) * 100}%` }}
              />
            </span>
            <span class="number">{formatLatency(toMs)}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
