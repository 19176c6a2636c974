import type { Campaign } from '@va/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { type MutableResource, useResource } from '../../data/use-resource.ts';
import { useSlowly } from '../../data/use-slowly.ts';
import { type ConsoleSession, can } from '../../session/session.ts';
import { campaignTexts } from '../../texts/en/campaigns.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Loading } from '../../ui/loading.tsx';
import { attempt } from '../../ui/notice/toast.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { CampaignActions, type CampaignStatusChange } from './campaign-actions.tsx';
import { LeadTable } from './lead-table.tsx';
import { CampaignBadge, Figures, Funnel } from './progress.tsx';
import { useProgress } from './use-progress.ts';

/** Minimum interval between reloads of the leads of a running campaign. */
const leadsEveryMs = 3_000;

/** A campaign with its live progress and its leads. */
export function CampaignView({ session, id }: { readonly session: ConsoleSession; readonly id: string }): JSX.Element {
  const resource = useResource(`campaign ${id}`, () => session.client.campaigns.get(id));
  const { value, error, reload } = resource;
  if (value === null) {
    return (
      <section class="page">
        <BackLink to={['campaigns']}>{campaignTexts.back}</BackLink>
        <PageTitle title={campaignTexts.campaign} />
        {error === null ? <Loading /> : <ErrorNotice error={error} onRetry={reload} />}
      </section>
    );
  }
  return <LoadedCampaign session={session} campaign={value} resource={resource} />;
}

function LoadedCampaign(props: {
  readonly session: ConsoleSession;
  readonly campaign: Campaign;
  readonly resource: MutableResource<Campaign>;
}): JSX.Element {
  const { session, campaign, resource } = props;
  const [round, setRound] = useState(0);
  const live = useProgress(session, campaign.id, round);
  const told = live.progress ?? campaign;
  // Shows a requested status at once, even if the stream still reports the previous one.
  const progress = resource.isChanging ? { ...told, status: campaign.status } : told;
  const leadsVersion = useSlowly(countsOf(told), leadsEveryMs);
  const refresh = (): void => {
    setRound((before) => before + 1);
    resource.reload();
  };
  const setStatus = async (status: CampaignStatusChange): Promise<void> => {
    const send = (): Promise<unknown> => session.client.campaigns.update(campaign.id, { status });
    if (await attempt(() => resource.change((before) => ({ ...before, status }), send)))
      setRound((before) => before + 1);
  };
  return (
    <section class="page">
      <header class="page-head">
        <div>
          <BackLink to={['campaigns']}>{campaignTexts.back}</BackLink>
          <PageTitle title={campaign.name}>
            <CampaignBadge status={progress.status} />
          </PageTitle>
          {progress.status_reason !== null && <p class="muted">{progress.status_reason}</p>}
        </div>
        <CampaignActions
          session={session}
          campaign={{ ...campaign, status: progress.status }}
          canWrite={can(session.scopes, 'campaigns:write')}
          onChanged={refresh}
          setStatus={setStatus}
        />
      </header>
      {live.error !== null && <ErrorNotice error={live.error} onRetry={refresh} />}
      <div class="card campaign" aria-live="polite">
        <Funnel of={progress} />
        <Figures of={progress} perMinute={live.perMinute} />
      </div>
      <LeadTable session={session} campaignId={campaign.id} version={`${round} ${leadsVersion}`} />
    </section>
  );
}

/** Returns a key that changes whenever a lead changes its status. */
function countsOf(
  of: Pick<Campaign, `${'total' | 'pending' | 'calling' | 'completed' | 'failed' | 'skipped'}_leads`>,
): string {
  const { total_leads, pending_leads, calling_leads, completed_leads, failed_leads, skipped_leads } = of;
  return [total_leads, pending_leads, calling_leads, completed_leads, failed_leads, skipped_leads].join(' ');
}
