import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useResource } from '../../data/use-resource.ts';
import { hrefOf } from '../../router/fragment.ts';
import { navigate } from '../../router/route.ts';
import { type ConsoleSession, can } from '../../session/session.ts';
import { campaignTexts } from '../../texts/en/campaigns.ts';
import { Button } from '../../ui/button.tsx';
import { ListView } from '../../ui/list/list-view.tsx';
import { attempt } from '../../ui/notice/toast.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { formatTime } from '../../ui/values/format.ts';
import { CampaignDialog, type CampaignFormData, loadCampaignForm } from './campaign-form.tsx';
import { CampaignBadge, ProgressBar } from './progress.tsx';

export function CampaignList({ session }: { readonly session: ConsoleSession }): JSX.Element {
  const campaigns = useResource('campaigns', () => session.client.campaigns.list());
  const [form, setForm] = useState<CampaignFormData | null>(null);
  const { columns } = campaignTexts;
  return (
    <section class="page">
      <header class="page-head">
        <PageTitle title={campaignTexts.title} />
        {can(session.scopes, 'campaigns:write') && (
          <Button
            kind="primary"
            shortcut="n"
            onClick={() => void attempt(async () => setForm(await loadCampaignForm(session)))}
          >
            {campaignTexts.create}
          </Button>
        )}
      </header>
      <ListView
        label={campaignTexts.title}
        resource={campaigns}
        keyOf={({ id }) => id}
        none={campaignTexts.none}
        noneExplanation={campaignTexts.noneExplanation}
        columns={[
          { title: columns.name, cell: ({ id, name }) => <a href={hrefOf(['campaigns', id])}>{name}</a> },
          { title: columns.status, cell: ({ status }) => <CampaignBadge status={status} /> },
          { title: columns.progress, cell: (campaign) => <ProgressBar of={campaign} /> },
          {
            title: columns.answered,
            isNumber: true,
            cell: ({ answered_rate: rate }) => (rate === null ? '–' : campaignTexts.percent(rate)),
          },
          { title: columns.created, cell: ({ created_at: at }) => formatTime(at) },
        ]}
      />
      {form !== null && (
        <CampaignDialog
          {...form}
          session={session}
          campaign={null}
          onSaved={({ id }) => navigate(['campaigns', id])}
          onClose={() => setForm(null)}
        />
      )}
    </section>
  );
}
