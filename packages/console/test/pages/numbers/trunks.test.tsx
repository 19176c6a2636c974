// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import type { Client, SipTrunk, TrunkHealth } from '@va/client';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NumbersPage } from '../../../src/app/pages/numbers/numbers-page.tsx';
import { sampleNodeHealth, sampleTrunk } from '../../support/records.ts';
import { serveSchemas } from '../../support/schemas.ts';
import { refusal, sessionWith } from '../../support/session.ts';
import { showPage } from '../../support/show.tsx';
import { cellsOf, dialog, press, type } from '../../support/user.ts';

beforeEach(() => serveSchemas());
afterEach(() => void vi.useRealTimers());

type Trunks = Client['trunks'];

async function open(methods: Partial<Trunks>, scopes: readonly string[] = ['*']): Promise<HTMLElement> {
  const session = sessionWith({ trunks: { healthOfAll: async () => [], ...methods } }, { scopes });
  showPage(<NumbersPage session={session} />, '#/numbers/trunks');
  return await screen.findByRole('table', { name: 'Trunks' });
}
const listed = (...trunks: readonly SipTrunk[]) => vi.fn(async () => [...trunks]);

describe('the trunks', () => {
  it('are listed with their type and limit', async () => {
    const carrier = sampleTrunk({ id: 't2', type: 'twilio', name: 'Twilio NL', numbers: [], max_concurrent_calls: 5 });
    const table = await open({ list: listed(sampleTrunk(), carrier) }, ['trunks:read']);
    expect(cellsOf(table)).toEqual([
      ['OfficeSIP provider', 'sip.example.com', '+31201234567', 'No limit', 'Active'],
      ['Twilio NLTwilio', 'sip.example.com', '–', '5', 'Active'],
    ]);
    expect(screen.queryAllByRole('button')).toEqual([]);
  });

  it('show their health', async () => {
    const health = { trunk_id: 'trunk-1', state: 'reachable' as const, nodes: [sampleNodeHealth()] };
    await open({
      list: listed(sampleTrunk(), sampleTrunk({ id: 't2', name: 'Other' })),
      healthOfAll: async () => [health],
    });
    await screen.findByText('Reachable');
    expect(screen.getByText('Reachable').closest('tr')?.textContent).toContain('Office');
  });

  it('refresh their health every 15 seconds', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const healthOfAll = vi.fn(async (): Promise<TrunkHealth[]> => []);
    await open({ list: listed(sampleTrunk()), healthOfAll });
    expect(healthOfAll).toHaveBeenCalledTimes(1);
    void act(() => void vi.advanceTimersByTime(15_000));
    await waitFor(() => expect(healthOfAll).toHaveBeenCalledTimes(2));
  });

  it('need a scope of their own', () => {
    showPage(<NumbersPage session={sessionWith({}, { scopes: ['numbers:read'] })} />, '#/numbers/trunks');
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('Your key lacks the scope trunks:read.');
  });

  it('are switched and deleted', async () => {
    const [update, remove] = [vi.fn(async () => sampleTrunk()), vi.fn(async () => {})];
    const list = listed(sampleTrunk());
    await open({ list, update, delete: remove });
    fireEvent.click(screen.getByRole('switch', { name: 'Office is active' }));
    await waitFor(() => expect(update.mock.calls).toEqual([['trunk-1', { is_active: false }]]));
    press('Delete');
    list.mockResolvedValue([]);
    press('Delete', dialog('Delete Office?'));
    await screen.findByRole('heading', { name: 'No trunks' });
    expect(remove.mock.calls).toEqual([['trunk-1']]);
  });
});

describe('the form of a trunk', () => {
  it('has the fields of its type, and masks the password', async () => {
    const create = vi.fn(async (_values: object) => sampleTrunk());
    await open({ list: listed(sampleTrunk()), create: create as Trunks['create'] });
    press('SIP provider');
    const form = within(await screen.findByRole('dialog', { name: 'New trunk' }));
    type(form.getByRole('textbox', { name: 'Name' }), 'Branch');
    type(form.getByRole('textbox', { name: 'Address' }), 'pbx.example.com:5080');
    const password = form.getByLabelText('Password') as HTMLInputElement;
    expect([password.type, form.queryByText('Account SID')]).toEqual(['password', null]);
    type(password, 'secret');
    press('Save');
    await waitFor(() =>
      expect(create.mock.calls).toEqual([
        [{ type: 'sip', name: 'Branch', address: 'pbx.example.com:5080', auth_password: 'secret', is_active: true }],
      ]),
    );
  });

  it('nests the account and the credentials of a carrier', async () => {
    const create = vi.fn(async (_values: object) => sampleTrunk());
    await open({ list: listed(sampleTrunk()), create: create as Trunks['create'] });
    press('Twilio');
    const form = within(await screen.findByRole('dialog'));
    type(form.getByRole('textbox', { name: 'Account SID' }), 'AC1');
    type(form.getByLabelText('Auth token'), 'token');
    press('Save');
    await waitFor(() =>
      expect(create.mock.calls).toEqual([
        [{ type: 'twilio', account: { account_sid: 'AC1' }, credentials: { auth_token: 'token' }, is_active: true }],
      ]),
    );
  });

  it('shows no stored secret, and sends the changes only', async () => {
    const update = vi.fn(async (_id: string, _changes: object) => sampleTrunk());
    await open({ list: listed(sampleTrunk()), update: update as Trunks['update'] });
    press('Edit');
    const form = within(await screen.findByRole('dialog', { name: 'Office' }));
    expect(form.getByLabelText('Password')).toHaveProperty('value', '');
    type(form.getByRole('textbox', { name: 'User name' }), '');
    press('Save');
    await waitFor(() => expect(update.mock.calls).toEqual([['trunk-1', { auth_username: null }]]));
  });

  it('clears a list', async () => {
    const update = vi.fn(async (_id: string, _changes: object) => sampleTrunk());
    await open({ list: listed(sampleTrunk()), update: update as Trunks['update'] });
    press('Edit');
    const field = within(await screen.findByRole('dialog')).getByRole('textbox', { name: 'Numbers' });
    type(field, '');
    fireEvent.blur(field);
    press('Save');
    await waitFor(() => expect(update.mock.calls).toEqual([['trunk-1', { numbers: [] }]]));
  });

  it('shows the fault of a nested field', async () => {
    const errors = [{ path: 'credentials.auth_token', code: 'required', message: 'expected a token' }];
    await open({ list: listed(sampleTrunk()), create: () => Promise.reject(refusal('invalid trunk', { errors })) });
    press('Twilio');
    const form = within(await screen.findByRole('dialog'));
    press('Save');
    await form.findByText('expected a token');
    expect(form.getByLabelText('Auth token').getAttribute('aria-invalid')).toBe('true');
  });
});
