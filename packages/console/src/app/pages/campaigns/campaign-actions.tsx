import type { Campaign } from '@va/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { navigate } from '../../router/route.ts';
import type { ConsoleSession } from '../../session/session.ts';
import { campaignTexts, importTexts } from '../../texts/en/campaigns.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/dialog/confirm.tsx';
import { attempt } from '../../ui/notice/toast.tsx';
import { CampaignDialog, type CampaignFormData, loadCampaignForm } from './campaign-form.tsx';
import { ExportButton } from './export-button.tsx';
import { ImportDialog } from './import-dialog.tsx';

export type CampaignStatusChange = 'scheduled' | 'paused' | 'cancelled';

export interface CampaignActionsProps {
  readonly session: ConsoleSession;
  readonly campaign: Campaign;
  readonly canWrite: boolean;
  readonly onChanged: () => void;
  readonly setStatus: (status: CampaignStatusChange) => Promise<void>;
}

/** The actions that the status of a campaign allows. */
export function CampaignActions(props: CampaignActionsProps): JSX.Element {
  const { session, campaign, canWrite, onChanged, setStatus } = props;
  const { campaigns } = session.client;
  const { id, name, status } = campaign;
  const [isImporting, setImporting] = useState(false);
  const [form, setForm] = useState<CampaignFormData | null>(null);
  const isOver = status === 'completed' || status === 'cancelled';
  const isGoing = status === 'running' || status === 'scheduled';
  const cancel = async (): Promise<void> => {
    const { cancelTitle, cancelText, cancelAction } = campaignTexts;
    if (await confirm({ title: cancelTitle(name), text: cancelText, action: cancelAction }))
      await setStatus('cancelled');
  };
  const remove = async (): Promise<void> => {
    const { removeTitle, removeText, remove: action } = campaignTexts;
    if (!(await confirm({ title: removeTitle(name), text: removeText, action }))) return;
    if (await attempt(() => campaigns.delete(id), campaignTexts.removed)) navigate(['campaigns']);
  };
  return (
    <div class="actions">
      <ExportButton session={session} campaignId={id} />
      {canWrite && !isOver && <Button onClick={() => setImporting(true)}>{importTexts.open}</Button>}
      {canWrite && !isOver && !isGoing && (
        <Button onClick={() => void attempt(async () => setForm(await loadCampaignForm(session)))}>
          {campaignTexts.edit}
        </Button>
      )}
      {canWrite && isGoing && <Button onClick={() => void setStatus('paused')}>{campaignTexts.pause}</Button>}
      {canWrite && (isGoing || status === 'paused') && (
        <Button kind="danger" onClick={() => void cancel()}>
          {campaignTexts.cancel}
        </Button>
      )}
      {canWrite && !isGoing && (
        <Button kind="danger" onClick={() => void remove()}>
          {campaignTexts.remove}
        </Button>
      )}
      {canWrite && (status === 'draft' || status === 'paused') && (
        <Button kind="primary" onClick={() => void setStatus('scheduled')}>
          {status === 'paused' ? campaignTexts.resume : campaignTexts.start}
        </Button>
      )}
      {isImporting && (
        <ImportDialog
          session={session}
          campaignId={id}
          onClose={() => setImporting(false)}
          onDone={() => {
            setImporting(false);
            onChanged();
          }}
        />
      )}
      {form !== null && (
        <CampaignDialog
          {...form}
          session={session}
          campaign={campaign}
          onClose={() => setForm(null)}
          onSaved={() => {
            setForm(null);
            onChanged();
          }}
        />
      )}
    </div>
  );
}
