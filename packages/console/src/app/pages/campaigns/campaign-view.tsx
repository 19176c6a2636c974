import type { Campaign } from '@va/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useResource } from '../../data/use-resource.ts';
import { hrefOf } from '../../router/route.ts';
import { can, type Session } from '../../session/session.ts';
import { campaignTexts } from '../../texts/en/campaigns.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Loading } from '../../ui/loading.tsx';
import { CampaignActions } from './campaign-actions.tsx';
import { LeadTable } from './lead-table.tsx';
import { CampaignBadge, Figures, Funnel } from './progress.tsx';
import { useProgress } from './use-progress.ts';

/** A campaign: its progress as it happens, and its leads. */
export function CampaignView({ session, id }: { readonly session: Session; readonly id: string }): JSX.Element {
  const { value, error, reload } = useResource(`campaign ${id}`, () => session.client.campaigns.get(id));
  if (error !== null) return <ErrorNotice error={error} onRetry={reload} />;
  if (value === null) return <Loading />;
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
          <a href={hrefOf(['campaigns'])}>{campaignTexts.back}</a>
          <h1>
            {campaign.name} <CampaignBadge status={progress.status} />
          </h1>
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
