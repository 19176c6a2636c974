// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import type { BulkResult, Client, Lead } from '@va/client';
import { describe, expect, it, vi } from 'vitest';
import { ImportDialog } from '../../../src/app/pages/campaigns/import-dialog.tsx';
import { LeadTable } from '../../../src/app/pages/campaigns/lead-table.tsx';
import { formatShortTime } from '../../../src/app/ui/values/format.ts';
import { sampleLead } from '../../support/records.ts';
import { deferred, refusal, sessionWith } from '../../support/session.ts';
import { settle, showPage } from '../../support/show.tsx';
import { cellsOf, choose, press, textOf } from '../../support/user.ts';

type Leads = Client['leads'];

const pageOf = (total: number, ...leads: readonly Lead[]) => ({
  leads: [...leads],
  pagination: { total, limit: 50, offset: 0 },
});

function showLeads(methods: Partial<Leads>, query = '', scopes: readonly string[] = ['*']): void {
  const session = sessionWith({ leads: methods }, { scopes });
  showPage(<LeadTable session={session} campaignId="campaign-1" version="0" />, `#/campaigns/campaign-1${query}`);
}

describe('the leads of a campaign', () => {
  it('show their outcome, or why they are not called', async () => {
    const at = '2026-03-01T12:00:00.000Z';
    const called = sampleLead({
      status: 'completed',
      attempts: 2,
      last_end_reason: 'user_hangup',
      last_attempt_at: at,
    });
    const leads = [
      { ...called, call_id: 'call-1' },
      sampleLead({ id: 'b', name: null, status: 'skipped', status_reason: 'The variable city is missing.' }),
      sampleLead({ id: 'c', status: 'failed', last_end_reason: 'of_a_later_version', next_attempt_at: at }),
      sampleLead({ id: 'd', status: 'calling' }),
    ];
    showLeads({ list: async () => pageOf(4, ...leads) });
    const time = formatShortTime(at);
    expect(cellsOf(await screen.findByRole('table', { name: 'Leads' }))).toEqual([
      ['+31612345678', 'Anna', 'Completed', '2', 'Caller hung up', time, '–', 'CallRemove'],
      ['+31612345678', '–', 'Skipped', '0', 'The variable city is missing.', '–', '–', 'Remove'],
      ['+31612345678', 'Anna', 'Failed', '0', 'of_a_later_version', '–', time, 'Remove'],
      ['+31612345678', 'Anna', 'Calling', '0', '–', '–', '–', ''],
    ]);
    expect(screen.getByRole('link', { name: 'Call' }).getAttribute('href')).toBe('#/calls/call-1');
  });

  it('are paged', async () => {
    const list = vi.fn<Leads['list']>(async () => pageOf(120, sampleLead()));
    showLeads({ list }, '?offset=50');
    await screen.findByText('51 to 100 of 120');
    expect(list.mock.calls).toEqual([['campaign-1', { limit: 50, offset: 50 }]]);
    press('Next');
    await screen.findByText('101 to 120 of 120');
    expect(screen.getByRole('button', { name: 'Next' })).toHaveProperty('disabled', true);
    press('Previous');
    await screen.findByText('51 to 100 of 120');
    press('Previous');
    await screen.findByText('1 to 50 of 120');
    expect(location.hash).toBe('#/campaigns/campaign-1');
    expect(screen.getByRole('button', { name: 'Previous' })).toHaveProperty('disabled', true);
  });

  it.each(['-5', 'x', ''])('start at the first page for an offset of "%s"', async (offset) => {
    const list = vi.fn<Leads['list']>(async () => pageOf(1, sampleLead()));
    showLeads({ list }, `?offset=${offset}`);
    await screen.findByRole('table');
    expect(list.mock.calls).toEqual([['campaign-1', { limit: 50, offset: 0 }]]);
  });

  it('of another status start at the first page', async () => {
    const list = vi.fn<Leads['list']>(async () => pageOf(120, sampleLead()));
    showLeads({ list }, '?offset=50&status=failed');
    await screen.findByRole('table');
    choose(screen.getByRole('combobox', { name: 'Status' }), 'skipped');
    await waitFor(() =>
      expect(list.mock.lastCall).toEqual(['campaign-1', { limit: 50, offset: 0, status: 'skipped' }]),
    );
    expect(location.hash).toBe('#/campaigns/campaign-1?status=skipped');
  });

  it('are removed at once', async () => {
    const removed = deferred();
    const remove = vi.fn(() => removed.promise);
    showLeads({ list: async () => pageOf(1, sampleLead()), remove });
    await screen.findByRole('table');
    press('Remove');
    await screen.findByRole('heading', { name: 'No leads' });
    expect(remove.mock.calls).toEqual([['campaign-1', 'lead-1']]);
    removed.reject(refusal('the lead is being called'));
    await screen.findByText('the lead is being called');
    expect(screen.getByRole('table')).toBeTruthy();
  });

  it('cannot be removed without the scope', async () => {
    showLeads({ list: async () => pageOf(1, sampleLead()) }, '', ['campaigns:read']);
    await screen.findByRole('table');
    expect(screen.queryByRole('button', { name: 'Remove' })).toBeNull();
  });
});

describe('the import of leads', () => {
  const csv = new File(['phone_number\n+31612345678\n'], 'leads.csv', { type: 'text/csv' });
  const result = (changes: Partial<BulkResult> = {}): BulkResult => ({
    created: 2,
    skipped: 1,
    failed: 0,
    errors: [],
    ...changes,
  });

  function showImport(send: Leads['import']): { readonly onDone: () => void; readonly onClose: () => void } {
    const [onDone, onClose] = [vi.fn(), vi.fn()];
    const session = sessionWith({ leads: { import: send } });
    showPage(<ImportDialog session={session} campaignId="campaign-1" onDone={onDone} onClose={onClose} />);
    return { onDone, onClose };
  }
  const pick = (file: File): void =>
    void fireEvent.change(screen.getByLabelText('CSV file'), { target: { files: [file] } });

  it('checks a file without storing anything, then imports it', async () => {
    const send = vi.fn<Leads['import']>(async () => result());
    const { onDone } = showImport(send);
    expect(screen.getByRole('button', { name: 'Import' })).toHaveProperty('disabled', true);
    pick(csv);
    await screen.findByText('2 would be added');
    expect(screen.getByText('1 skipped')).toBeTruthy();
    expect(send.mock.calls).toEqual([['campaign-1', csv, { dry_run: true, on_duplicate: 'skip' }]]);
    press('Import 2');
    await waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
    expect(send.mock.lastCall).toEqual(['campaign-1', csv, { dry_run: false, on_duplicate: 'skip' }]);
    expect(screen.getByText('2 leads are added.')).toBeTruthy();
  });

  it('checks the file again for another treatment of duplicates', async () => {
    const first = deferred<BulkResult>();
    const send = vi.fn<Leads['import']>().mockReturnValueOnce(first.promise);
    send.mockResolvedValueOnce(result({ created: 3, skipped: 0 }));
    showImport(send);
    pick(csv);
    choose(screen.getByRole('combobox', { name: 'Numbers that the campaign has already' }), 'allow');
    await screen.findByText('3 would be added');
    expect(send.mock.lastCall?.[2]).toEqual({ dry_run: true, on_duplicate: 'allow' });
    // The answer to the outdated check comes later.
    first.resolve(result({ created: 1 }));
    await settle();
    expect(screen.getByText('3 would be added')).toBeTruthy();
  });

  it('lists the faults by the row of a spreadsheet', async () => {
    const fault = { index: 0, phone_number: '020', code: 'invalid_phone_number', message: 'expected E.164' };
    const errors = [fault, { ...fault, index: 4, phone_number: null }];
    showImport(async () => result({ failed: 2, errors }));
    pick(csv);
    expect(cellsOf(await screen.findByRole('table', { name: 'Faults' }))).toEqual([
      ['2', '020', 'expected E.164'],
      ['6', '–', 'expected E.164'],
    ]);
    expect(screen.getByText('2 with faults')).toBeTruthy();
  });

  it('lists the first 100 faults', async () => {
    const errors = Array.from({ length: 101 }, (_, index) => ({ index, phone_number: null, code: 'x', message: 'm' }));
    showImport(async () => result({ failed: 101, errors }));
    pick(csv);
    expect(cellsOf(await screen.findByRole('table'))).toHaveLength(100);
    expect(screen.getByText('The first 100 faults are shown.')).toBeTruthy();
  });

  it('is not possible without a lead to add', async () => {
    showImport(async () => result({ created: 0 }));
    pick(csv);
    await screen.findByText('0 would be added');
    expect(screen.getByRole('button', { name: 'Import 0' })).toHaveProperty('disabled', true);
  });

  it('shows the progress of the check and of the import', async () => {
    const [checked, imported] = [deferred<BulkResult>(), deferred<BulkResult>()];
    const send = vi.fn<Leads['import']>().mockReturnValueOnce(checked.promise).mockReturnValueOnce(imported.promise);
    showImport(send);
    pick(csv);
    await screen.findByRole('progressbar', { name: 'Checking the file' });
    checked.resolve(result());
    await screen.findByText('2 would be added');
    expect(screen.queryByRole('progressbar')).toBeNull();
    press('Import 2');
    await screen.findByRole('progressbar', { name: 'Importing' });
    imported.reject(refusal('the file is too large'));
    expect(textOf(await screen.findByRole('alert'))).toContain('the file is too large');
    expect(within(screen.getByRole('dialog')).getByRole('button', { name: 'Import 2' })).toBeTruthy();
  });

  it('shows why a file is refused', async () => {
    showImport(() => Promise.reject(refusal('expected a column phone_number')));
    pick(csv);
    expect(textOf(await screen.findByRole('alert'))).toContain('expected a column phone_number');
    expect(screen.getByRole('button', { name: 'Import' })).toHaveProperty('disabled', true);
  });
});
