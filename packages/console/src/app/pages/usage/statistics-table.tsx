import type { EndReason } from '@va/client';
import type { JSX } from 'preact';
import { texts } from '../../texts/en.ts';
import { Scroller } from '../../ui/list/scroller.tsx';
import { formatCount, formatLatency } from '../../ui/values/format.ts';
import type { CallFigures, Statistics, UsageGroup } from './statistics.ts';

export interface TableProps {
  readonly group: UsageGroup;
  readonly statistics: Statistics;
  /** Names of agents or campaigns by id. */
  readonly names: ReadonlyMap<string, string>;
}

/** The figures of each group, with their totals. */
export function StatisticsTable({ group, statistics, names }: TableProps): JSX.Element {
  const { figures, total } = texts.usage;
  return (
    <Scroller class="table-frame" label={texts.usage.table}>
      <table class="statistics" aria-label={texts.usage.table}>
        <thead>
          <tr>
            <th scope="col">{texts.usage.group[group]}</th>
            <th scope="col" class="number">
              {figures.calls}
            </th>
            <th scope="col" class="number">
              {figures.answered}
            </th>
            <th scope="col" class="number">
              {figures.minutes}
            </th>
            <th scope="col" class="number">
              {figures.cost}
            </th>
            <th scope="col" class="number">
              {texts.usage.legend.p50}
            </th>
            <th scope="col" class="number">
              {texts.usage.legend.p95}
            </th>
            <th scope="col" class="number">
              {figures.interruptions}
            </th>
            <th scope="col" class="number">
              {figures.failedTools}
            </th>
          </tr>
        </thead>
        <tbody>
          {statistics.stats.map((entry) => (
            <Row key={entry.key ?? ''} name={nameOf(group, entry.key, names)} figures={entry} />
          ))}
        </tbody>
        <tfoot>
          <Row name={total} figures={statistics.total} />
        </tfoot>
      </table>
    </Scroller>
  );
}

function Row({ name, figures }: { readonly name: string; readonly figures: CallFigures }): JSX.Element {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td class="number">{formatCount(figures.calls)}</td>
      <td class="number">{formatCount(figures.answered_calls)}</td>
      <td class="number">{formatCount(figures.minutes)}</td>
      <td class="number">{formatCount(figures.cost)}</td>
      <td class="number">{formatLatency(figures.latency_ms?.p50 ?? null)}</td>
      <td class="number">{formatLatency(figures.latency_ms?.p95 ?? null)}</td>
      <td class="number">{formatCount(figures.interruptions)}</td>
      <td class="number">
        {formatCount(figures.failed_tools)} / {formatCount(figures.tool_calls)}
      </td>
    </tr>
  );
}

/** Returns the displayed name of a group. */
export function nameOf(group: UsageGroup, key: string | null, names: ReadonlyMap<string, string>): string {
  if (key === null) return texts.usage.group.none;
  if (group === 'end_reason') return texts.calls.endReasons[key as EndReason] ?? key;
  return names.get(key) ?? key;
}
