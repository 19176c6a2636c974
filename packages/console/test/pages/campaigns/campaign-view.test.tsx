// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import type { Campaign, CampaignProgress, Client, Lead } from '@va/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CampaignsPage } from '../../../src/app/pages/campaigns/campaigns-page.tsx';
import { sampleCampaign } from '../../support/records.ts';
import { collectSavedFiles } from '../../support/saved-files.ts';
import { serveSchemas } from '../../support/schemas.ts';
import { ScriptedStream } from '../../support/scripted-stream.ts';
import { deferred, refusal, type ScriptedClient, sessionWith } from '../../support/session.ts';
import { settle, showPage } from '../../support/show.tsx';
import { dialog, factsOf, press, textOf, type } from '../../support/user.ts';

const leadPage = (...leads: readonly Lead[]) => ({
  leads: [...leads],
  pagination: { total: leads.length, limit: 50, offset: 0 },
});

interface Opened {
  readonly progress: ScriptedStream<CampaignProgress>;
  readonly get: ReturnType<typeof vi.fn<Client['campaigns']['get']>>;
}

async function open(
  campaign: Campaign,
  methods: ScriptedClient = {},
  scopes: readonly string[] = ['*'],
): Promise<Opened> {
  const progress = new ScriptedStream<CampaignProgress>();
  const get = vi.fn<Client['campaigns']['get']>(async () => campaign);
  const client: ScriptedClient = {
    ...methods,
    campaigns: { get, events: (_id, options) => progress.open(options), ...methods.campaigns },
    leads: { list: async () => leadPage(), ...methods.leads },
  };
  showPage(<CampaignsPage session={sessionWith(client, { scopes })} />, '#/campaigns/campaign-1');
  await screen.findByRole('heading', { level: 1, name: new RegExp(`^${campaign.name}`) });
  return { progress, get };
}

const figures = (selector: string): Readonly<Record<string, string>> => {
  const list = document.querySelector(selector);
  return list === null ? {} : factsOf(list);
};
const buttons = (): readonly string[] => {
  const actions = document.querySelector<HTMLElement>('.page-head .actions');
  return actions === null ? [] : within(actions).getAllByRole('button').map(textOf);
};

describe('a campaign', () => {
  it('has its figures before its stream has sent any', async () => {
    await open(sampleCampaign({ status_reason: 'Outside of the calling hours.' }));
    expect(figures('.funnel')).toEqual({
      Leads: '10',
      Pending: '4',
      Calling: '1',
      Completed: '3',
      Failed: '1',
      Skipped: '1',
    });
    expect(figures('.figures')).toEqual({
      Calls: '5',
      Answered: '60 %',
      'Average duration': '1:35',
      Pace: 'Measured while the campaign runs.',
    });
    expect(screen.getByText('Outside of the calling hours.')).toBeTruthy();
  });

  it('follows its stream', async () => {
    const { progress } = await open(sampleCampaign({ status: 'running' }));
    progress.send(sampleCampaign({ status: 'completed', completed_leads: 8, pending_leads: 0 }));
    await screen.findByText('Completed', { selector: '.badge' });
    expect(figures('.funnel')).toMatchObject({ Completed: '8', Pending: '0' });
  });

  it('shows that its stream failed, and opens it again', async () => {
    const { progress } = await open(sampleCampaign());
    progress.fail(refusal('too many streams'));
    expect((await screen.findByRole('alert')).textContent).toContain('too many streams');
    press('Try again');
    await waitFor(() => expect(progress.connections).toHaveLength(2));
  });

  it('closes its stream when the page is left', async () => {
    const progress = new ScriptedStream<CampaignProgress>();
    const client: ScriptedClient = {
      campaigns: { get: async () => sampleCampaign(), events: (_id, options) => progress.open(options) },
      leads: { list: async () => leadPage() },
    };
    const { unmount } = showPage(<CampaignsPage session={sessionWith(client)} />, '#/campaigns/campaign-1');
    await waitFor(() => expect(progress.connections).toHaveLength(1));
    unmount();
    expect(progress.current.signal?.aborted).toBe(true);
  });

  it('shows why it cannot be loaded', async () => {
    const get = () => Promise.reject(refusal('There is no such campaign.'));
    showPage(<CampaignsPage session={sessionWith({ campaigns: { get } })} />, '#/campaigns/gone');
    expect((await screen.findByRole('alert')).textContent).toContain('There is no such campaign.');
    expect(screen.getByRole('link', { name: 'All campaigns' }).getAttribute('href')).toBe('#/campaigns');
  });
});

describe('a running campaign', () => {
  const running = (changes: Partial<Campaign>): Campaign => sampleCampaign({ status: 'running', ...changes });

  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  it('has the pace of its last minutes', async () => {
    const { progress } = await open(running({}));
    progress.send(running({ total_calls: 7 }));
    await settle();
    expect(figures('.figures').Calls).toBe('7');
    expect(figures('.figures').Pace).toBe('Measured while the campaign runs.');
    vi.advanceTimersByTime(30_000);
    progress.send(running({ total_calls: 13 }));
    await settle();
    expect(figures('.figures').Pace).toBe('12.0 calls a minute, over the last minutes');
  });

  it('loads its leads again when their figures change, every three seconds at most', async () => {
    const list = vi.fn<Client['leads']['list']>(async () => leadPage());
    const { progress } = await open(running({}), { leads: { list } });
    const loads = async (times: number): Promise<void> => {
      await vi.advanceTimersByTimeAsync(0);
      await settle();
      expect(list).toHaveBeenCalledTimes(times);
    };
    await loads(1);
    for (let n = 1; n <= 3; n += 1) {
      progress.send(running({ completed_leads: 3 + n, total_calls: 5 + n }));
      await settle();
    }
    await loads(2);
    await vi.advanceTimersByTimeAsync(2_999);
    expect(list).toHaveBeenCalledTimes(2);
    progress.send(running({ completed_leads: 9, total_calls: 20 }));
    await settle();
    await vi.advanceTimersByTimeAsync(1);
    await loads(3);
    // The number of calls alone does not change a lead.
    progress.send(running({ completed_leads: 9, total_calls: 21 }));
    await vi.advanceTimersByTimeAsync(6_000);
    expect(list).toHaveBeenCalledTimes(3);
  });
});

describe('the actions of a campaign', () => {
  it.each([
    ['draft', ['Export CSV', 'Import CSV', 'Edit', 'Delete', 'Start']],
    ['scheduled', ['Export CSV', 'Import CSV', 'Pause', 'Cancel']],
    ['running', ['Export CSV', 'Import CSV', 'Pause', 'Cancel']],
    ['paused', ['Export CSV', 'Import CSV', 'Edit', 'Cancel', 'Delete', 'Resume']],
    ['completed', ['Export CSV', 'Delete']],
    ['cancelled', ['Export CSV', 'Delete']],
  ] as const)('while it is %s are %j', async (status, expected) => {
    await open(sampleCampaign({ status }));
    expect(buttons()).toEqual(expected);
  });

  it('are the export without the scope to write', async () => {
    await open(sampleCampaign(), {}, ['campaigns:read']);
    expect(buttons()).toEqual(['Export CSV']);
  });

  it('show the requested status at once, although the stream still reports the one before', async () => {
    const sent = deferred<Campaign>();
    const update = vi.fn((_id: string, _changes: object) => sent.promise);
    const { progress, get } = await open(sampleCampaign({ status: 'running' }), {
      campaigns: { update: update as Client['campaigns']['update'] },
    });
    progress.send(sampleCampaign({ status: 'running', total_calls: 6 }));
    await waitFor(() => expect(figures('.figures').Calls).toBe('6'));
    press('Pause');
    await screen.findByText('Paused', { selector: '.badge' });
    expect(update.mock.calls).toEqual([['campaign-1', { status: 'paused' }]]);
    get.mockResolvedValue(sampleCampaign({ status: 'paused' }));
    sent.resolve(sampleCampaign({ status: 'paused' }));
    await waitFor(() => expect(progress.connections).toHaveLength(2));
    expect(buttons()).toContain('Resume');
  });

  it('show the old status again after a refusal', async () => {
    const update = () => Promise.reject(refusal('the campaign has no leads'));
    await open(sampleCampaign(), { campaigns: { update } });
    press('Start');
    await screen.findByText('the campaign has no leads');
    expect(screen.getByText('Draft', { selector: '.badge' })).toBeTruthy();
  });

  it('edit it, and send the changed fields', async () => {
    serveSchemas();
    const refused = refusal('invalid', {
      errors: [{ path: 'schedule_days', code: 'invalid_field', message: 'expected a day' }],
    });
    const update = vi.fn<Client['campaigns']['update']>().mockRejectedValueOnce(refused);
    update.mockResolvedValue(sampleCampaign({ name: 'Summer' }));
    const lists = { agents: { list: async () => [] }, numbers: { list: async () => [] } };
    const { get, progress } = await open(sampleCampaign(), { campaigns: { update }, ...lists });
    press('Edit');
    const form = within(await screen.findByRole('dialog', { name: 'Spring' }));
    fireEvent.click(form.getByRole('checkbox', { name: 'mon' }));
    fireEvent.click(form.getByRole('checkbox', { name: 'tue' }));
    type(form.getByRole('textbox', { name: 'Name' }), 'Summer');
    press('Save');
    await form.findByText('expected a day');
    expect(update.mock.lastCall).toEqual(['campaign-1', { name: 'Summer', schedule_days: [] }]);
    fireEvent.click(form.getByRole('checkbox', { name: 'wed' }));
    get.mockResolvedValue(sampleCampaign({ name: 'Summer' }));
    press('Save');
    await screen.findByRole('heading', { level: 1, name: /^Summer/ });
    expect(update.mock.lastCall).toEqual(['campaign-1', { name: 'Summer', schedule_days: ['wed'] }]);
    expect(progress.connections.length).toBeGreaterThan(1);
  });

  it('cancel it only after a confirmation', async () => {
    const update = vi.fn(async () => sampleCampaign({ status: 'cancelled' }));
    await open(sampleCampaign({ status: 'running' }), { campaigns: { update } });
    press('Cancel');
    press('Cancel', dialog('Cancel Spring?'));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(update).not.toHaveBeenCalled();
    press('Cancel');
    press('Cancel the campaign', dialog('Cancel Spring?'));
    await waitFor(() => expect(update.mock.calls).toEqual([['campaign-1', { status: 'cancelled' }]]));
  });

  it('delete it, and go to the list', async () => {
    const remove = vi.fn(async () => {});
    await open(sampleCampaign(), { campaigns: { delete: remove, list: async () => [] } });
    press('Delete');
    press('Delete', dialog('Delete Spring?'));
    await waitFor(() => expect(location.hash).toBe('#/campaigns'));
    expect(remove.mock.calls).toEqual([['campaign-1']]);
  });

  it('stay on the page of a campaign that cannot be deleted', async () => {
    await open(sampleCampaign(), { campaigns: { delete: () => Promise.reject(refusal('calls are in progress')) } });
    press('Delete');
    press('Delete', dialog('Delete Spring?'));
    await screen.findByText('calls are in progress');
    expect(location.hash).toBe('#/campaigns/campaign-1');
  });

  it('export the leads as a file', async () => {
    const files = collectSavedFiles();
    const parts = [new TextEncoder().encode('phone_number\r\n'), new TextEncoder().encode('+31\r\n')];
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        const part = parts.shift();
        if (part === undefined) controller.close();
        else controller.enqueue(part);
      },
    });
    await open(sampleCampaign(), { leads: { export: async () => stream } });
    press('Export CSV');
    await waitFor(() => expect(files.map(({ name }) => name)).toEqual(['campaign-campaign-1.csv']));
    expect(await files[0]?.content.text()).toBe('phone_number\r\n+31\r\n');
  });

  it('show how much is exported, and that it failed', async () => {
    let fail: (error: Error) => void = () => {};
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new Uint8Array(1_025));
        fail = (error) => controller.error(error);
      },
    });
    await open(sampleCampaign(), { leads: { export: async () => stream } });
    press('Export CSV');
    await screen.findByRole('progressbar', { name: 'Exported 2 KB so far' });
    expect(screen.getByRole('button', { name: 'Export CSV' })).toHaveProperty('disabled', true);
    fail(new Error('the connection broke'));
    await screen.findByText('the connection broke');
    expect(screen.getByRole('button', { name: 'Export CSV' })).toHaveProperty('disabled', false);
  });
});
