import { texts } from '../../texts/en.ts';
import type { CallFigures } from './statistics.ts';
import { nameOf, type TableProps } from './statistics-table.tsx';

/** Returns the rows of the table for CSV, with unformatted numbers. */
export function exportRows({ group, statistics, names }: TableProps): (string | number | null)[][] {
  const { figures } = texts.usage;
  return [
    [
      ...[texts.usage.group[group], 'key', figures.calls, figures.answered, figures.minutes, figures.cost],
      ...[figures.p50, figures.p95, figures.interruptions, figures.tools, figures.failedTools],
    ],
    ...statistics.stats.map((entry) => [nameOf(group, entry.key, names), entry.key, ...numbersOf(entry)]),
  ];
}

function numbersOf(figures: CallFigures): (number | null)[] {
  const { calls, answered_calls, minutes, cost, latency_ms, interruptions, tool_calls, failed_tools } = figures;
  const { p50 = null, p95 = null } = latency_ms ?? {};
  return [calls, answered_calls, minutes, cost, p50, p95, interruptions, tool_calls, failed_tools];
}
