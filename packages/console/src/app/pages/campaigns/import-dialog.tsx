import type { BulkResult } from '@va/client';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ConsoleSession } from '../../session/session.ts';
import { importTexts } from '../../texts/en/campaigns.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { DataTable } from '../../ui/list/data-table.tsx';
import { notify } from '../../ui/notice/toast.tsx';
import { formatCount } from '../../ui/values/format.ts';

const shownFaults = 100;
const policies = ['skip', 'allow', 'error'] as const;
type Policy = (typeof policies)[number];

export interface ImportDialogProps {
  readonly session: ConsoleSession;
  readonly campaignId: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Validates a CSV file without storing anything, shows its errors, and imports it. */
export function ImportDialog({ session, campaignId, onDone, onClose }: ImportDialogProps): JSX.Element {
  const [file, setFile] = useState<File | null>(null);
  const [policy, setPolicy] = useState<Policy>('skip');
  const [preview, setPreview] = useState<BulkResult | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState<string | null>(null);
  const send = async (isDryRun: boolean): Promise<BulkResult | null> => {
    if (file === null) return null;
    setBusy(isDryRun ? importTexts.checking : importTexts.importing);
    setError(null);
    try {
      return await session.client.leads.import(campaignId, file, { dry_run: isDryRun, on_duplicate: policy });
    } catch (thrown) {
      setError(thrown);
      return null;
    } finally {
      setBusy(null);
    }
  };
  useEffect(() => {
    let isStale = false;
    setPreview(null);
    void send(true).then((result) => {
      if (!isStale) setPreview(result);
    });
    return () => {
      isStale = true;
    };
  }, [file, policy]);
  const run = async (): Promise<void> => {
    const result = await send(false);
    if (result === null) return;
    notify(importTexts.done(formatCount(result.created)));
    onDone();
  };
  return (
    <Dialog title={importTexts.title} isWide onClose={onClose}>
      <p class="muted">{importTexts.explanation}</p>
      <div class="columns">
        <label class="field">
          <span>{importTexts.file}</span>
          <input
            type="file"
            accept=".csv,text/csv"
            onChange={(event) => setFile(event.currentTarget.files?.[0] ?? null)}
          />
        </label>
        <label class="field">
          <span>{importTexts.duplicates}</span>
          <select
            value={policy}
            onChange={({ currentTarget }) => setPolicy(policies.find((each) => each === currentTarget.value) ?? 'skip')}
          >
            {policies.map((each) => (
              <option key={each} value={each}>
                {importTexts[each]}
              </option>
            ))}
          </select>
        </label>
      </div>
      {busy !== null && (
        <p role="status">
          <progress aria-label={busy} /> {busy}
        </p>
      )}
      {error !== null && <ErrorNotice error={error} />}
      {preview !== null && <Preview result={preview} />}
      <footer class="actions">
        <Button
          kind="primary"
          isDisabled={preview === null || preview.created === 0}
          isBusy={busy !== null}
          onClick={() => void run()}
        >
          {importTexts.run(preview === null ? '' : formatCount(preview.created))}
        </Button>
      </footer>
    </Dialog>
  );
}

function Preview({ result }: { readonly result: BulkResult }): JSX.Element {
  const faults = result.errors.slice(0, shownFaults);
  const { columns } = importTexts;
  return (
    <div class="stack" role="status">
      <p class="actions">
        <span class="badge good">{importTexts.created(formatCount(result.created))}</span>
        <span class="badge">{importTexts.skipped(formatCount(result.skipped))}</span>
        <span class={result.failed > 0 ? 'badge bad' : 'badge'}>{importTexts.failed(formatCount(result.failed))}</span>
      </p>
      {faults.length > 0 && (
        <DataTable
          label={importTexts.faults}
          rows={faults}
          keyOf={({ index }) => String(index)}
          columns={[
            // Spreadsheet row numbers: the header is row 1.
            { title: columns.row, isNumber: true, cell: ({ index }) => index + 2 },
            { title: columns.phone, cell: ({ phone_number: phone }) => <span class="wrap">{phone ?? '–'}</span> },
            { title: columns.fault, cell: ({ message }) => <span class="wrap">{message}</span> },
          ]}
        />
      )}
      {result.errors.length > shownFaults && <p class="muted small">{importTexts.shown(shownFaults)}</p>}
    </div>
  );
}
