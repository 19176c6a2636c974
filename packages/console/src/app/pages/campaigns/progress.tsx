import type { CampaignProgress } from '@va/client';
import type { JSX } from 'preact';
import { campaignTexts } from '../../texts/en/campaigns.ts';
import { formatCount, formatDuration } from '../../ui/values/format.ts';

const badges = {
  draft: '',
  scheduled: 'warn',
  running: 'good',
  paused: 'warn',
  completed: '',
  cancelled: 'bad',
} as const;

export function CampaignBadge({ status }: { readonly status: CampaignProgress['status'] }): JSX.Element {
  return <span class={`badge ${badges[status]}`}>{campaignTexts.statuses[status]}</span>;
}

type ProgressCounts = Pick<CampaignProgress, 'total_leads' | 'pending_leads' | 'calling_leads'>;

/** The share of leads that are neither pending nor being called. */
export function ProgressBar({ of: counts }: { readonly of: ProgressCounts }): JSX.Element {
  const { total_leads: total, pending_leads: pending, calling_leads: calling } = counts;
  const done = total - pending - calling;
  return (
    <span class="progress">
      <progress aria-label={campaignTexts.progress} max={Math.max(1, total)} value={done} />
      <span class="small muted">
        {formatCount(done)} / {formatCount(total)}
      </span>
    </span>
  );
}

/** The leads by status. */
export function Funnel({ of: progress }: { readonly of: CampaignProgress }): JSX.Element {
  const { funnel } = campaignTexts;
  const stages: readonly (readonly [string, number])[] = [
    [funnel.total, progress.total_leads],
    [funnel.pending, progress.pending_leads],
    [funnel.calling, progress.calling_leads],
    [funnel.completed, progress.completed_leads],
    [funnel.failed, progress.failed_leads],
    [funnel.skipped, progress.skipped_leads],
  ];
  const widest = Math.max(1, progress.total_leads);
  return (
    <dl class="funnel">
      {stages.map(([name, count]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <span class="bar" style={{ width: `${(100 * count) / widest}%` }} aria-hidden="true" />
            <span>{formatCount(count)}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Call figures so far and the current pace. */
export function Figures(props: { readonly of: CampaignProgress; readonly perMinute: number | null }): JSX.Element {
  const { of: progress, perMinute } = props;
  const rate = progress.answered_rate;
  const figures: readonly (readonly [string, string])[] = [
    [campaignTexts.calls, formatCount(progress.total_calls)],
    [campaignTexts.answeredRate, rate === null ? '–' : campaignTexts.percent(rate)],
    [campaignTexts.averageDuration, formatDuration(progress.average_duration_seconds)],
    [campaignTexts.pace, perMinute === null ? campaignTexts.noPace : campaignTexts.paceOf(perMinute.toFixed(1))],
  ];
  return (
    <dl class="figures">
      {figures.map(([name, figure]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{figure}</dd>
        </div>
      ))}
    </dl>
  );
}
