// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import type { ByokKeys, Client } from '@va/client';
import { describe, expect, it, vi } from 'vitest';
import { SettingsPage } from '../../../src/app/pages/settings/settings-page.tsx';
import { formatTime } from '../../../src/app/ui/values/format.ts';
import { sampleMailDomain, sampleOrganization, sampleProvider } from '../../support/records.ts';
import { deferred, refusal, type ScriptedClient, sessionWith } from '../../support/session.ts';
import { goTo, settle, showPage } from '../../support/show.tsx';
import { cellsOf, dialog, factsOf, press, rowOf, type } from '../../support/user.ts';

function open(client: ScriptedClient, part: string, changes: Parameters<typeof sessionWith>[1] = {}): void {
  showPage(<SettingsPage session={sessionWith(client, changes)} />, `#/settings/${part}`);
}

describe('the settings', () => {
  it('start with the organization, and say which scope another part lacks', async () => {
    open({ organizations: { get: async () => sampleOrganization() } }, '', { scopes: ['organizations:read'] });
    await screen.findByText('Harbour Restaurant');
    expect(screen.getByRole('link', { current: 'page' }).textContent).toBe('Organization');
    for (const [part, scope] of [
      ['providers', 'byok:read'],
      ['mail', 'domains:read'],
      ['do-not-call', 'campaigns:read'],
    ]) {
      goTo(`#/settings/${part}`);
      expect(screen.getByRole('heading', { level: 2 }).textContent).toBe(`Your key lacks the scope ${scope}.`);
    }
  });
});

describe('the organization', () => {
  it('has its balances and limits, and the signed-in user', async () => {
    open({ organizations: { get: async () => sampleOrganization() } }, 'organization', { subject: 'Anna' });
    await screen.findByText('Harbour Restaurant');
    const list = document.querySelector('dl');
    expect(list === null ? null : factsOf(list)).toEqual({
      Name: 'Harbour Restaurant',
      Id: 'organization-1',
      Plan: 'team',
      'Minutes left': (1_250).toLocaleString(),
      'Credit left': 'Unlimited',
      'Minutes this month': '340',
      'Active agents': '3',
      'Active numbers': '2',
      'Calls now': '1',
      'Concurrent calls at most': '10',
      Created: formatTime('2026-03-01T12:00:00.000Z'),
      'Signed in as': 'Anna',
    });
  });

  it('names the API key as user without a subject, and can be loaded again', async () => {
    const get = vi.fn<Client['organizations']['get']>().mockRejectedValueOnce(new Error('offline'));
    get.mockResolvedValue(sampleOrganization());
    open({ organizations: { get } }, 'organization');
    await screen.findByText('offline');
    press('Try again');
    await screen.findByText('API key');
  });
});

describe('the provider keys', () => {
  const byok = (keys: ByokKeys, methods: Partial<Omit<Client['byok'], 'list'>> = {}) => ({
    config: async () => [sampleProvider(), sampleProvider({ id: 'openai', name: 'OpenAI', category: 'llm' })],
    ...methods,
    list: vi.fn(async () => keys),
  });
  const table = () => screen.findByRole('table', { name: 'Provider keys' });

  it('show which are set, and never the keys', async () => {
    open({ byok: byok({ deepgram_secret_id: 's', openai_secret_id: null }) }, 'providers');
    expect(cellsOf(await table())).toEqual([
      ['Deepgram', 'Speech recognition', 'Set', 'ReplaceRemove'],
      ['OpenAI', 'Language model', 'Not set', 'Enter a key'],
    ]);
  });

  it('cannot be changed without the scope', async () => {
    open({ byok: byok({ deepgram_secret_id: 's' }) }, 'providers', { scopes: ['byok:read'] });
    await table();
    expect(screen.queryAllByRole('button')).toEqual([]);
  });

  it('are stored without spaces around them', async () => {
    const set = vi.fn<Client['byok']['set']>();
    const methods = byok({}, { set });
    open({ byok: methods }, 'providers');
    await table();
    press('Enter a key', rowOf('OpenAI'));
    const form = within(dialog('OpenAI'));
    const field = form.getByLabelText('API key');
    expect([
      (field as HTMLInputElement).type,
      form.getByRole('button', { name: 'Store' }).hasAttribute('disabled'),
    ]).toEqual(['password', true]);
    type(field, ' sk-1 ');
    press('Store');
    await screen.findByText('The key is stored.');
    expect(set.mock.calls).toEqual([[{ provider: 'openai', api_key: 'sk-1' }]]);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(methods.list).toHaveBeenCalledTimes(2);
  });

  it('that are refused stay in the dialog', async () => {
    open({ byok: byok({}, { set: () => Promise.reject(refusal('the vault is sealed')) }) }, 'providers');
    await table();
    press('Enter a key', rowOf('OpenAI'));
    type(screen.getByLabelText('API key'), 'sk-1');
    press('Store');
    expect((await screen.findByRole('alert')).textContent).toContain('the vault is sealed');
    expect(screen.getByLabelText('API key')).toHaveProperty('value', 'sk-1');
  });

  it('are removed after a confirmation', async () => {
    const removed = deferred<ByokKeys>();
    const deleteOf = vi.fn(() => removed.promise);
    const methods = byok({ deepgram_secret_id: 's' }, { deleteOf: deleteOf as unknown as Client['byok']['deleteOf'] });
    open({ byok: methods }, 'providers');
    await table();
    press('Remove', rowOf('Deepgram'));
    press('Remove', dialog('Remove the key of Deepgram?'));
    await waitFor(() => expect(cellsOf(screen.getByRole('table'))[0]?.[2]).toBe('Not set'));
    expect(deleteOf.mock.calls).toEqual([['deepgram']]);
    methods.list.mockResolvedValue({});
    removed.resolve({});
    await screen.findByText('The key is removed.');
  });
});

describe('the mail domain', () => {
  it('is added, then shows its DNS records', async () => {
    const get = vi.fn<Client['domains']['get']>().mockResolvedValueOnce(null as never);
    get.mockResolvedValue(sampleMailDomain());
    const add = vi.fn<Client['domains']['add']>().mockResolvedValue(sampleMailDomain());
    open({ domains: { get, add } }, 'mail');
    type(await screen.findByRole('textbox', { name: /^Domain/ }), ' mail.example.com ');
    press('Add a domain');
    const table = await screen.findByRole('table', { name: 'DNS records' });
    expect(add.mock.calls).toEqual([[{ domain_name: 'mail.example.com' }]]);
    expect(cellsOf(table)).toEqual([
      ['TXT', 'send.mail', 'v=spf1 include:example.com ~allCopy', 'Auto', 'not_started'],
    ]);
  });

  it('that is refused stays in the field', async () => {
    const get = vi.fn<Client['domains']['get']>().mockResolvedValue(null as never);
    open({ domains: { get, add: () => Promise.reject(refusal('not a domain')) } }, 'mail');
    const field = await screen.findByRole('textbox', { name: /^Domain/ });
    type(field, 'example');
    press('Add a domain');
    await screen.findByText('not a domain');
    await settle();
    expect(field).toHaveProperty('value', 'example');
    expect(get).toHaveBeenCalledTimes(1);
    expect(screen.getByRole('button', { name: 'Add a domain' })).toHaveProperty('disabled', false);
  });

  it('cannot be added without the scope', async () => {
    open({ domains: { get: async () => null as never } }, 'mail', { scopes: ['domains:read'] });
    await screen.findByText(/^No mail domain/);
    expect(screen.queryByRole('textbox')).toBeNull();
  });

  it('is checked on request', async () => {
    const get = vi.fn<Client['domains']['get']>().mockResolvedValueOnce(sampleMailDomain());
    get.mockResolvedValue(sampleMailDomain({ status: 'verified', records: [] }));
    const verify = vi.fn<Client['domains']['verify']>();
    open({ domains: { get, verify } }, 'mail');
    await screen.findByText('pending');
    press('Check the records');
    await screen.findByText('verified');
    expect(verify).toHaveBeenCalledTimes(1);
  });

  it('is removed after a confirmation', async () => {
    const remove = vi.fn(async () => {});
    const get = vi.fn<Client['domains']['get']>().mockResolvedValueOnce(sampleMailDomain());
    get.mockResolvedValue(null as never);
    open({ domains: { get, delete: remove } }, 'mail');
    await screen.findByRole('table');
    press('Remove the domain');
    press('Cancel', dialog('mail.example.com'));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(remove).not.toHaveBeenCalled();
    press('Remove the domain');
    press('Remove the domain', dialog('mail.example.com'));
    await screen.findByText('The domain is removed.');
    expect(screen.queryByRole('table')).toBeNull();
  });
});

describe('the do-not-call list', () => {
  const entry = { id: 'n1', phone_number: '+31201234567', reason: null, created_at: '2026-03-01T12:00:00.000Z' };
  const answer = (...entries: readonly (typeof entry | (Omit<typeof entry, 'reason'> & { reason: string }))[]) => ({
    do_not_call: [...entries],
    pagination: { total: entries.length, limit: 100, offset: 0 },
  });

  it('adds a number at once, and clears the fields', async () => {
    const sent = deferred<typeof entry>();
    const add = vi.fn((_entry: object) => sent.promise);
    const list = vi.fn(async () => answer(entry));
    open({ doNotCall: { list, add } }, 'do-not-call');
    await screen.findByRole('table');
    type(screen.getByLabelText('Number'), ' +32470123456 ');
    type(screen.getByLabelText('Reason'), 'asked');
    press('Add a number');
    await waitFor(() =>
      expect(cellsOf(screen.getByRole('table')).map(([number, why]) => [number, why])).toEqual([
        ['+32470123456', 'asked'],
        ['+31201234567', '–'],
      ]),
    );
    expect(add.mock.calls).toEqual([[{ phone_number: '+32470123456', reason: 'asked' }]]);
    expect(screen.getByLabelText('Number')).toHaveProperty('value', '');
    sent.resolve(entry);
    await screen.findByText('The number is added.');
  });

  it('gives a refused number back to be corrected', async () => {
    const add = () => Promise.reject(refusal('expected an international number'));
    open({ doNotCall: { list: async () => answer(entry), add } }, 'do-not-call');
    await screen.findByRole('table');
    type(screen.getByLabelText('Number'), '020 123');
    press('Add a number');
    await screen.findByText('expected an international number');
    expect(screen.getByLabelText('Number')).toHaveProperty('value', '020 123');
    expect(cellsOf(screen.getByRole('table'))).toHaveLength(1);
  });

  it('keeps what is typed while a number is refused', async () => {
    const sent = deferred<typeof entry>();
    open({ doNotCall: { list: async () => answer(entry), add: () => sent.promise } }, 'do-not-call');
    await screen.findByRole('table');
    type(screen.getByLabelText('Number'), '1');
    press('Add a number');
    type(screen.getByLabelText('Number'), '+33');
    sent.reject(refusal('invalid'));
    await screen.findByText('invalid');
    expect(screen.getByLabelText('Number')).toHaveProperty('value', '+33');
  });

  it('removes a number', async () => {
    const remove = vi.fn(async () => {});
    const list = vi.fn(async () => answer(entry));
    open({ doNotCall: { list, delete: remove } }, 'do-not-call');
    await screen.findByRole('table');
    list.mockResolvedValue(answer());
    fireEvent.click(screen.getByRole('button', { name: 'Remove' }));
    await screen.findByRole('heading', { name: 'No numbers' });
    expect(remove.mock.calls).toEqual([['n1']]);
  });

  it('is read only without the scope', async () => {
    open({ doNotCall: { list: async () => answer(entry) } }, 'do-not-call', { scopes: ['campaigns:read'] });
    await screen.findByRole('table');
    expect(screen.queryAllByRole('button')).toEqual([]);
    expect(screen.queryByLabelText('Number')).toBeNull();
  });
});
