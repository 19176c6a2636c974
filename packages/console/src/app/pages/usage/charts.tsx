import type { JSX } from 'preact';
import { texts } from '../../texts/en.ts';
import { formatCount, formatLatency } from '../../ui/values/format.ts';
import { Chart } from './chart.tsx';
import type { CallFigures, Statistics } from './statistics.ts';

/** Charts of the daily figures. */
export function Charts({
  days,
  statistics,
}: {
  readonly days: readonly string[];
  readonly statistics: Statistics;
}): JSX.Element {
  const byDay = new Map(statistics.stats.map((entry) => [entry.key, entry]));
  const { figures, legend } = texts.usage;
  const { total } = statistics;
  const counts = (title: string, of: (entry: CallFigures) => number, colour = '--chart-main'): JSX.Element => {
    const values = days.map((day) => {
      const entry = byDay.get(day);
      return entry === undefined ? 0 : of(entry);
    });
    return (
      <Chart
        kind="bars"
        title={title}
        total={formatCount(of(total))}
        days={days}
        series={[{ label: title, colour, values }]}
      />
    );
  };
  const latency = (of: 'p50' | 'p95'): (number | null)[] => days.map((day) => byDay.get(day)?.latency_ms?.[of] ?? null);
  const { p50 = null, p95 = null } = total.latency_ms ?? {};
  return (
    <div class="charts">
      {counts(figures.calls, ({ calls }) => calls)}
      {counts(figures.minutes, ({ minutes }) => minutes)}
      {counts(figures.cost, ({ cost }) => cost)}
      <Chart
        kind="lines"
        title={figures.latency}
        total={`${legend.p50} ${formatLatency(p50)} · ${legend.p95} ${formatLatency(p95)}`}
        days={days}
        series={[
          { label: legend.p50, colour: '--chart-main', values: latency('p50') },
          { label: legend.p95, colour: '--chart-warn', values: latency('p95') },
        ]}
      />
      {counts(figures.interruptions, ({ interruptions }) => interruptions, '--chart-warn')}
      {counts(figures.failedTools, ({ failed_tools }) => failed_tools, '--chart-bad')}
    </div>
  );
}
