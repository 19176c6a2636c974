import type { Call } from '@va/client';
import type { JSX } from 'preact';
import { texts } from '../../texts/en.ts';
import { CostTable } from '../../ui/values/cost-table.tsx';
import { formatCount, formatLatency } from '../../ui/values/format.ts';
import { JsonBlock } from '../../ui/values/json-block.tsx';

/** Analysis, latency, cost, media quality and metadata of a call. */
export function CallDetails({ call }: { readonly call: Call }): JSX.Element {
  return (
    <>
      <Analysis call={call} />
      <Latency call={call} />
      <Costs call={call} />
      <Media call={call} />
      {call.variables !== null && <Data title={texts.call.data.variables} value={call.variables} />}
      {call.metadata !== null && <Data title={texts.call.data.metadata} value={call.metadata} />}
    </>
  );
}

function Analysis({ call }: { readonly call: Call }): JSX.Element | null {
  const words = texts.call.analysis;
  if (call.analysis_status === null && call.summary === null && call.analysis_result === null) return null;
  return (
    <section class="card stack">
      <h2>{words.title}</h2>
      {call.analysis_status === 'pending' && <p class="muted">{words.pending}</p>}
      {call.analysis_status === 'failed' && (
        <p class="notice bad">
          {words.failed} {call.analysis_error}
        </p>
      )}
      {call.summary !== null && <p>{call.summary}</p>}
      {call.analysis_result !== null && <JsonBlock value={call.analysis_result} />}
    </section>
  );
}

function Latency({ call: { latency } }: { readonly call: Call }): JSX.Element | null {
  const words = texts.call.latency;
  if (latency === null || latency.total_ms === null) return null;
  const bargeIns = latency.interruptions_ms.map((ms) => formatLatency(ms));
  return (
    <section class="card stack">
      <h2>{words.title}</h2>
      <dl class="figures">
        <dt>{words.p50}</dt>
        <dd>{formatLatency(latency.total_ms.p50)}</dd>
        <dt>{words.p95}</dt>
        <dd>{formatLatency(latency.total_ms.p95)}</dd>
        {bargeIns.length > 0 && <dt>{words.interruptions}</dt>}
        {bargeIns.length > 0 && <dd>{bargeIns.join(', ')}</dd>}
      </dl>
    </section>
  );
}

function Costs({ call }: { readonly call: Call }): JSX.Element | null {
  if (call.cost_breakdown.length === 0) return null;
  return (
    <section class="card stack">
      <h2>{texts.call.costs}</h2>
      <CostTable label={texts.call.costs} items={call.cost_breakdown} formatPrice={(price) => price ?? '–'} />
    </section>
  );
}

function Media({ call: { media } }: { readonly call: Call }): JSX.Element | null {
  const words = texts.call.media;
  if (media === null) return null;
  const { received, sent } = media;
  return (
    <section class="card stack">
      <h2>{words.title}</h2>
      <dl class="figures">
        <dt>{words.received}</dt>
        <dd>
          {formatCount(received.packets)} {words.packets} · {formatCount(received.packets_lost)} {words.lost} ·{' '}
          {formatCount(received.packets_dropped)} {words.dropped} · {words.jitter} {formatLatency(received.jitter_ms)}
        </dd>
        <dt>{words.sent}</dt>
        <dd>
          {formatCount(sent.packets)} {words.packets}
          {sent.packets_lost !== null && ` · ${formatCount(sent.packets_lost)} ${words.lost}`}
          {sent.jitter_ms !== null && ` · ${words.jitter} ${formatLatency(sent.jitter_ms)}`}
        </dd>
        <dt>{words.roundTrip}</dt>
        <dd>{formatLatency(media.round_trip_ms)}</dd>
      </dl>
    </section>
  );
}

function Data({ title, value }: { readonly title: string; readonly value: unknown }): JSX.Element {
  return (
    <section class="card stack">
      <h2>{title}</h2>
      <JsonBlock value={value} />
    </section>
  );
}
