import type { CampaignProgress } from '@va/client';
import { doneLeads, type Rates } from './pace.ts';

const [leastBar, mostBar] = [10, 40];

/** Formats the progress of a campaign as a line of less than `columns` characters, with a bar if it fits. */
export function progressLine(progress: CampaignProgress, rates: Rates | null, columns: number): string {
  const { total_leads: total } = progress;
  const done = doneLeads(progress);
  const share = total === 0 ? 0 : done / total;
  const facts = factsOf(progress, rates);
  const room = Math.min(mostBar, columns - 1 - ` 100%  ${facts}`.length);
  const line = room < leastBar ? facts : `${bar(share, room)} ${percent(share).padStart(4)}  ${facts}`;
  return line.slice(0, columns - 1);
}

/** Formats the progress without a bar, for logs. */
export function factsOf(progress: CampaignProgress, rates: Rates | null): string {
  const {
    status,
    status_reason: reason,
    total_leads: total,
    calling_leads: calling,
    answered_rate: answered,
  } = progress;
  const facts = [
    `${doneLeads(progress)}/${total} done`,
    answered === null ? null : `${percent(answered)} answered`,
    `${calling} calling`,
    status === 'running' && rates !== null ? `${rates.callsPerMinute.toFixed(1)} calls/min` : null,
    status === 'running' && rates !== null && rates.leftMs !== null ? `${duration(rates.leftMs)} left` : null,
    status === 'running' ? null : status,
    reason === null ? null : printable(reason),
  ];
  return facts.filter((fact) => fact !== null).join(' · ');
}

/** Summarizes the outcomes of a finished campaign. */
export function summary(progress: CampaignProgress): string {
  const { status, completed_leads: reached, failed_leads: failed, skipped_leads: skipped } = progress;
  const { total_calls: calls, answered_rate: answered, average_duration_seconds: average } = progress;
  const talked = answered === null ? '' : `, ${percent(answered)} answered`;
  const lasted = average === null ? '' : `, ${average} s on average`;
  return (
    `The campaign is ${status}: ${reached} reached, ${failed} not reached, ${skipped} skipped; ${calls} ` +
    `calls${talked}${lasted}.`
  );
}

/** Removes control characters, which a terminal would interpret. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ');
}

function bar(share: number, width: number): string {
  const full = Math.floor(share * width);
  return '█'.repeat(full) + '░'.repeat(width - full);
}

/** Rounds down, so that 100 % means completed. The addend absorbs floating-point errors: 0.29 * 100 is below 29. */
function percent(share: number): string {
  return `${Math.floor(share * 100 + 1e-9)}%`;
}

function duration(ms: number): string {
  const minutes = Math.ceil(ms / 60_000);
  if (minutes < 2) return `${Math.ceil(ms / 1_000)} s`;
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}
