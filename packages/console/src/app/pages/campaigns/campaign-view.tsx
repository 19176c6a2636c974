import type { Campaign } from '@va/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useResource } from '../../data/use-resource.ts';
import { can, type Session } from '../../session/session.ts';
import { campaignTexts } from '../../texts/en/campaigns.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Loading } from '../../ui/loading.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { CampaignActions } from './campaign-actions.tsx';
import { LeadTable } from './lead-table.tsx';
import { CampaignBadge, Figures, Funnel } from './progress.tsx';
import { useProgress } from './use-progress.ts';

/** A campaign: its progress as it happens, and its leads. */
export function CampaignView({ session, id }: { readonly session: Session; readonly id: string }): JSX.Element {
  const { value, error, reload } = useResource(`campaign ${id}`, () => session.client.campaigns.get(id));
  if (value === null) {
    return (
      <section class="page">
        <BackLink to={['campaigns']}>{campaignTexts.back}</BackLink>
        <PageTitle title={campaignTexts.campaign} />
        {error === null ? <Loading /> : <ErrorNotice error={error} onRetry={reload} />}
      </section>
    );
  }
  return <LoadedCampaign session={session} campaign={value} reload={reload} />;
}

function LoadedCampaign(props: {
  readonly session: Session;
  readonly campaign: Campaign;
  readonly reload: () => void;
}): JSX.Element {
  const { session, campaign, reload } = props;
  const [round, setRound] = useState(0);
  const live = useProgress(session, campaign.id, round);
  const progress = live.progress ?? campaign;
  const refresh = (): void => {
    setRound((before) => before + 1);
    reload();
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
        />
      </header>
      {live.error !== null && <ErrorNotice error={live.error} onRetry={refresh} />}
      <div class="card campaign" aria-live="polite">
        <Funnel of={progress} />
        <Figures of={progress} perMinute={live.perMinute} />
      </div>
      <LeadTable session={session} campaignId={campaign.id} version={`${round} ${progress.total_leads}`} />
    </section>
  );
}
