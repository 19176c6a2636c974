// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import type { Campaign, Client } from '@va/client';
import { sampleAgent } from '@va/testkit';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { CampaignsPage } from '../../../src/app/pages/campaigns/campaigns-page.tsx';
import { formatTime } from '../../../src/app/ui/values/format.ts';
import { sampleCampaign, sampleNumber } from '../../support/records.ts';
import { serveSchemas } from '../../support/schemas.ts';
import { refusal, sessionWith } from '../../support/session.ts';
import { showPage } from '../../support/show.tsx';
import { cellsOf, choose, press, type } from '../../support/user.ts';

beforeEach(() => serveSchemas());

type Campaigns = Client['campaigns'];

const agents = { list: async () => [sampleAgent({ id: 'agent-1', name: 'Reception' })] };
const numbers = { list: async () => [sampleNumber()] };

function open(methods: Partial<Campaigns>, scopes: readonly string[] = ['*']): void {
  showPage(<CampaignsPage session={sessionWith({ campaigns: methods, agents, numbers }, { scopes })} />, '#/campaigns');
}
const listed =
  (...campaigns: readonly Campaign[]) =>
  async (): Promise<Campaign[]> => [...campaigns];

describe('the campaigns', () => {
  it('are listed with their status and progress', async () => {
    const fresh = sampleCampaign({ id: 'c2', name: 'Autumn', status: 'running', answered_rate: null });
    open({ list: listed(sampleCampaign(), fresh) }, ['campaigns:read']);
    const created = formatTime(fresh.created_at);
    expect(cellsOf(await screen.findByRole('table', { name: 'Campaigns' }))).toEqual([
      ['Spring', 'Draft', '5 / 10', '60 %', created],
      ['Autumn', 'Running', '5 / 10', '–', created],
    ]);
    expect(screen.getByRole('link', { name: 'Spring' }).getAttribute('href')).toBe('#/campaigns/campaign-1');
    expect(screen.queryByRole('button', { name: 'New campaign' })).toBeNull();
  });

  it('show a bar of the leads that are done', async () => {
    open({ list: listed(sampleCampaign({ total_leads: 0, pending_leads: 0, calling_leads: 0 })) });
    const bar = await screen.findByRole('progressbar', { name: 'Progress' });
    // The maximum of an empty campaign is not 0, which would be an indeterminate bar.
    expect([bar.getAttribute('max'), bar.getAttribute('value')]).toEqual(['1', '0']);
  });
});

describe('creating a campaign', () => {
  async function openForm(create: Campaigns['create']): Promise<ReturnType<typeof within>> {
    open({ list: listed(), create, get: () => new Promise(() => {}) });
    await screen.findByRole('heading', { name: 'No campaigns' });
    press('New campaign');
    return within(await screen.findByRole('dialog', { name: 'New campaign' }));
  }

  it('starts with working hours in the time zone of the user, and opens the new campaign', async () => {
    const create = vi.fn<Campaigns['create']>(async () => sampleCampaign({ id: 'new' }));
    const form = await openForm(create);
    type(form.getByRole('textbox', { name: 'Name' }), 'Spring');
    choose(form.getByRole('combobox', { name: 'Agent' }), 'agent-1');
    choose(form.getByRole('combobox', { name: 'Call from' }), 'number-1');
    fireEvent.click(form.getByRole('checkbox', { name: 'sat' }));
    press('Create');
    await waitFor(() => expect(location.hash).toBe('#/campaigns/new'));
    expect(create.mock.calls).toEqual([
      [
        {
          name: 'Spring',
          agent_id: 'agent-1',
          number_id: 'number-1',
          schedule_start_time: '09:00',
          schedule_end_time: '17:00',
          timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
          schedule_days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat'],
        },
      ],
    ]);
  });

  it('shows the faults of the API at their fields', async () => {
    const errors = [{ path: 'schedule_end_time', code: 'invalid_field', message: 'expected a time after the start' }];
    const form = await openForm(() => Promise.reject(refusal('invalid campaign', { errors })));
    press('Create');
    await form.findByText('expected a time after the start');
    expect(form.getByLabelText('Calls until').getAttribute('aria-invalid')).toBe('true');
    expect(form.getByLabelText('Calls from').getAttribute('aria-invalid')).toBe('false');
  });

  it('offers the agents and numbers that the session may read', async () => {
    open({ list: listed() }, ['campaigns:read', 'campaigns:write']);
    await screen.findByRole('heading', { name: 'No campaigns' });
    press('New campaign');
    const form = within(await screen.findByRole('dialog'));
    expect(form.queryByRole('option', { name: 'Reception' })).toBeNull();
  });
});
