import './usage.css';
import type { EndReason } from '@va/client';
import type { JSX } from 'preact';
import { useResource } from '../../data/use-resource.ts';
import { route } from '../../router/route.ts';
import type { ConsoleSession } from '../../session/session.ts';
import { texts } from '../../texts/en.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { EmptyState } from '../../ui/list/empty-state.tsx';
import { Loading } from '../../ui/loading.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { formatCount } from '../../ui/values/format.ts';
import { Charts } from './charts.tsx';
import { toCsv } from './csv.ts';
import { exportRows } from './export-rows.ts';
import { loadUsage, type UsageReport } from './load-usage.ts';
import { daysOf, type Period, periodOf } from './period.ts';
import { PeriodPicker } from './period-picker.tsx';
import { ProviderCosts } from './provider-costs.tsx';
import { Shares } from './shares.tsx';
import { groupOf, type UsageGroup } from './statistics.ts';
import { StatisticsTable } from './statistics-table.tsx';

/** Call statistics of a period: number, duration, latency and cost. */
export function UsagePage({ session }: { readonly session: ConsoleSession }): JSX.Element {
  const { query } = route.value;
  const period = periodOf(query, Date.now());
  const group = groupOf(query.group);
  const { value, error, isLoading, reload } = useResource(
    `usage ${period.from} ${period.to} ${group}`,
    async (signal) => ({ group, period, usage: await loadUsage(session, period, group, signal) }),
  );
  const isCurrent = value?.group === group;
  return (
    <section class="page usage" aria-busy={isLoading}>
      <header class="page-head">
        <PageTitle title={texts.usage.title} />
        <Button
          shortcut="e"
          isDisabled={!isCurrent}
          onClick={() => {
            if (value === null) return;
            const { byGroup: statistics, names } = value.usage;
            const name = texts.usage.fileName(period.from, period.to, group);
            const csv = toCsv(exportRows({ group, statistics, names }));
            saveFile(name, new Blob([csv], { type: 'text/csv;charset=utf-8' }));
          }}
        >
          {texts.usage.export}
        </Button>
      </header>
      <PeriodPicker period={period} group={group} />
      {error !== null && <ErrorNotice error={error} onRetry={reload} />}
      {value === null && error === null && <Loading />}
      {value !== null && <Content group={value.group} period={value.period} usage={value.usage} />}
    </section>
  );
}

function Content(props: {
  readonly group: UsageGroup;
  readonly period: Period;
  readonly usage: UsageReport;
}): JSX.Element {
  const { group, period, usage } = props;
  const { byDay, byGroup, names, summary } = usage;
  if (byDay.total.calls === 0) {
    return (
      <EmptyState title={texts.usage.none}>
        <p>{texts.usage.noneExplanation}</p>
      </EmptyState>
    );
  }
  const reasons = Object.entries(byDay.total.end_reasons).map(([reason, count]) => ({
    ...{ key: reason, name: texts.calls.endReasons[reason as EndReason] ?? reason },
    ...{ value: count ?? 0, shown: formatCount(count ?? 0) },
  }));
  return (
    <>
      <Charts days={daysOf(period)} statistics={byDay} />
      <StatisticsTable group={group} statistics={byGroup} names={names} />
      <div class="halves">
        <section class="card stack">
          <h2>{texts.usage.endReasons}</h2>
          <Shares shares={reasons} />
        </section>
        <ProviderCosts summary={summary} />
      </div>
    </>
  );
}
