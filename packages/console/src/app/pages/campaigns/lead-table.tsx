import type { EndReason, Lead } from '@va/client';
import type { JSX } from 'preact';
import { withoutRow } from '../../data/rows.ts';
import { type Loaded, useResource } from '../../data/use-resource.ts';
import { hrefOf } from '../../router/fragment.ts';
import { route, setQuery } from '../../router/route.ts';
import { type ConsoleSession, can } from '../../session/session.ts';
import { campaignTexts } from '../../texts/en/campaigns.ts';
import { texts } from '../../texts/en.ts';
import { Button } from '../../ui/button.tsx';
import type { TableColumn } from '../../ui/list/data-table.tsx';
import { ListView } from '../../ui/list/list-view.tsx';
import { attempt } from '../../ui/notice/toast.tsx';
import { formatCount, formatShortTime } from '../../ui/values/format.ts';

const pageSize = 50;
const statuses = ['pending', 'calling', 'completed', 'failed', 'skipped'] as const;

export interface LeadTableProps {
  readonly session: ConsoleSession;
  readonly campaignId: string;
  /** A new value reloads the leads. */
  readonly version: string;
}

interface LeadPage {
  readonly leads: readonly Lead[];
  readonly pagination: { readonly total: number };
}

/** The leads of a campaign by status, paginated; filter and page are stored in the URL. */
export function LeadTable({ session, campaignId, version }: LeadTableProps): JSX.Element {
  const status = statuses.find((each) => each === route.value.query.status);
  const offset = Math.max(0, Number.parseInt(route.value.query.offset ?? '0', 10) || 0);
  const page = useResource<LeadPage>(`leads ${campaignId} ${version} ${status ?? ''} ${offset}`, () =>
    session.client.leads.list(campaignId, { limit: pageSize, offset, ...(status !== undefined && { status }) }),
  );
  const leads: Loaded<readonly Lead[]> = { ...page, value: page.value?.leads ?? null };
  const total = page.value?.pagination.total ?? 0;
  const remove = async ({ id }: Lead): Promise<void> => {
    const without = ({ leads: all, ...others }: LeadPage): LeadPage => ({
      ...others,
      leads: withoutRow<Lead>(id)(all),
    });
    const { leadRemoved } = campaignTexts;
    await attempt(() => page.change(without, () => session.client.leads.remove(campaignId, id)), leadRemoved);
  };
  return (
    <>
      <div class="page-head">
        <h2>{campaignTexts.leads}</h2>
        <label class="check">
          <span>{campaignTexts.leadStatus}</span>
          <select
            value={status ?? ''}
            onChange={({ currentTarget: { value } }) => setQuery({ status: value, offset: null })}
          >
            <option value="">{campaignTexts.allStatuses}</option>
            {statuses.map((each) => (
              <option key={each} value={each}>
                {campaignTexts.funnel[each]}
              </option>
            ))}
          </select>
        </label>
      </div>
      <ListView
        label={campaignTexts.leads}
        resource={leads}
        columns={columnsOf({ session, remove })}
        keyOf={({ id }) => id}
        none={campaignTexts.noLeads}
        noneExplanation={campaignTexts.noLeadsExplanation}
      />
      {total > pageSize && <Pages offset={offset} total={total} />}
    </>
  );
}

function Pages({ offset, total }: { readonly offset: number; readonly total: number }): JSX.Element {
  const to = (next: number): void => setQuery({ offset: next <= 0 ? null : String(next) });
  const end = Math.min(total, offset + pageSize);
  return (
    <div class="actions">
      <Button isDisabled={offset === 0} onClick={() => to(offset - pageSize)}>
        {campaignTexts.previous}
      </Button>
      <span class="muted small">
        {campaignTexts.range(formatCount(offset + 1), formatCount(end), formatCount(total))}
      </span>
      <Button isDisabled={end >= total} onClick={() => to(offset + pageSize)}>
        {campaignTexts.following}
      </Button>
    </div>
  );
}

const badges = { pending: '', calling: 'warn', completed: 'good', failed: 'bad', skipped: '' } as const;

function columnsOf(props: Omit<LeadActionsProps, 'lead'>): readonly TableColumn<Lead>[] {
  const { leadColumns: words } = campaignTexts;
  const columns: TableColumn<Lead>[] = [
    { title: words.phone, cell: ({ phone_number: phone }) => phone },
    { title: words.name, cell: ({ name }) => <span class="wrap">{name ?? '–'}</span> },
    {
      title: words.status,
      cell: ({ status }) => <span class={`badge ${badges[status]}`}>{campaignTexts.funnel[status]}</span>,
    },
    { title: words.attempts, isNumber: true, cell: ({ attempts }) => attempts },
    { title: words.outcome, cell: ({ last_end_reason: end, status_reason: why }) => outcomeOf(end) ?? why ?? '–' },
    { title: words.last, cell: ({ last_attempt_at: at }) => timeOf(at) },
    { title: words.next, cell: ({ next_attempt_at: at }) => timeOf(at) },
    {
      title: words.actions,
      cell: (lead) => <LeadActions {...props} lead={lead} />,
    },
  ];
  return columns;
}

function timeOf(at: string | null): string {
  return at === null ? '–' : formatShortTime(at);
}

/** Returns the text of an end reason, or the reason itself if it has no text; null without a reason. */
function outcomeOf(end: string | null): string | null {
  return end === null ? null : (texts.calls.endReasons[end as EndReason] ?? end);
}

interface LeadActionsProps {
  readonly session: ConsoleSession;
  readonly lead: Lead;
  readonly remove: (lead: Lead) => Promise<void>;
}

function LeadActions({ session, lead, remove }: LeadActionsProps): JSX.Element {
  return (
    <div class="row-actions">
      {lead.call_id !== null && <a href={hrefOf(['calls', lead.call_id])}>{campaignTexts.openCall}</a>}
      {can(session.scopes, 'campaigns:write') && lead.status !== 'calling' && (
        <Button kind="quiet" onClick={() => void remove(lead)}>
          {campaignTexts.removeLead}
        </Button>
      )}
    </div>
  );
}
