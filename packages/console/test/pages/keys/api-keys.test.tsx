// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import type { ApiKey, Client } from '@va/client';
import { describe, expect, it, vi } from 'vitest';
import { KeysPage } from '../../../src/app/pages/keys/keys-page.tsx';
import type { ConsoleSession } from '../../../src/app/session/session.ts';
import { formatTime } from '../../../src/app/ui/values/format.ts';
import { sampleApiKey } from '../../support/records.ts';
import { deferred, refusal, sessionWith } from '../../support/session.ts';
import { showPage } from '../../support/show.tsx';
import { cellsOf, dialog, press, rowOf, type } from '../../support/user.ts';

type Keys = Client['apiKeys'];

async function open(keys: Partial<Keys>, changes: Partial<ConsoleSession> = {}): Promise<HTMLElement> {
  showPage(<KeysPage session={sessionWith({ apiKeys: keys }, changes)} />, '#/keys');
  return await screen.findByRole('table', { name: 'API keys' });
}

const listed = (...keys: readonly ApiKey[]) => vi.fn(async () => [...keys]);

describe('the API keys', () => {
  it('are listed with their scopes and validity', async () => {
    const keys = [
      sampleApiKey({ expires_at: '2099-01-01T00:00:00.000Z' }),
      sampleApiKey({ id: 'b', name: 'Old', scopes: ['*'], expires_at: '2020-01-01T00:00:00.000Z' }),
      sampleApiKey({ id: 'c', name: 'Gone', revoked_at: '2026-01-01T00:00:00.000Z' }),
    ];
    const table = await open({ list: listed(...keys) });
    const created = formatTime(keys[0]?.created_at ?? null);
    expect(cellsOf(table)).toEqual([
      ['Server', 'calls:read, calls:write', 'Valid', formatTime('2099-01-01T00:00:00.000Z'), created, 'Revoke'],
      ['Old', '*', 'Expired', formatTime('2020-01-01T00:00:00.000Z'), created, 'Revoke'],
      ['Gone', 'calls:read, calls:write', 'Revoked', 'Never', created, ''],
    ]);
  });

  it('cannot be changed without the scope', async () => {
    await open({ list: listed(sampleApiKey()) }, { scopes: ['api-keys:read'] });
    expect(screen.queryAllByRole('button')).toEqual([]);
  });

  it('are loaded again after a failure', async () => {
    const list = vi.fn<() => Promise<ApiKey[]>>().mockRejectedValueOnce(refusal('too many requests'));
    list.mockResolvedValue([sampleApiKey()]);
    showPage(<KeysPage session={sessionWith({ apiKeys: { list } })} />, '#/keys');
    expect((await screen.findByRole('alert')).textContent).toContain('too many requests');
    press('Try again');
    await screen.findByRole('table');
    expect(screen.queryByRole('alert')).toBeNull();
  });
});

describe('revoking an API key', () => {
  it('removes it from the list at once, after a confirmation', async () => {
    const sent = deferred();
    const revoke = vi.fn(() => sent.promise);
    const list = listed(sampleApiKey(), sampleApiKey({ id: 'b', name: 'Other' }));
    await open({ list, delete: revoke });
    press('Revoke', rowOf('Server'));
    expect(revoke).not.toHaveBeenCalled();
    press('Revoke', dialog('Revoke Server?'));
    await waitFor(() => expect(screen.queryByText('Server')).toBeNull());
    expect(revoke.mock.calls).toEqual([['key-1']]);
    list.mockResolvedValue([sampleApiKey({ id: 'b', name: 'Other' })]);
    sent.resolve();
    expect((await screen.findByText('Revoked')).closest('.notice')).toBeTruthy();
    expect(screen.getByText('Other')).toBeTruthy();
  });

  it('does nothing if the confirmation is cancelled', async () => {
    const revoke = vi.fn(async () => {});
    await open({ list: listed(sampleApiKey()), delete: revoke });
    press('Revoke');
    press('Cancel', dialog('Revoke Server?'));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(revoke).not.toHaveBeenCalled();
    expect(screen.getByText('Server')).toBeTruthy();
  });

  it('puts the key back if the service refuses', async () => {
    await open({ list: listed(sampleApiKey()), delete: () => Promise.reject(refusal('the key is in use')) });
    press('Revoke');
    press('Revoke', dialog('Revoke Server?'));
    await screen.findByText('the key is in use');
    expect(screen.getByText('Server')).toBeTruthy();
  });
});

describe('creating an API key', () => {
  const box = (name: string): HTMLElement => screen.getByRole('checkbox', { name });

  it('sends the name, the scopes and the end of validity, and shows the secret once', async () => {
    const created = { ...sampleApiKey({ id: 'n', name: 'New' }), secret: 'va_live_secret' };
    const create = vi.fn<(body: object) => Promise<never>>(async () => created as never);
    const list = listed(sampleApiKey());
    await open({ list, create: create as Partial<Keys>['create'] as Keys['create'] });
    press('New API key');
    const form = within(dialog('New API key'));
    type(form.getByRole('textbox', { name: 'Name' }), 'New');
    type(form.getByLabelText('Expires'), '2027-01-02T03:04');
    fireEvent.click(box('calls:read'));
    fireEvent.click(box('agents:write'));
    fireEvent.click(box('calls:read'));
    press('Create');
    const secret = within(await screen.findByRole('dialog', { name: 'The new key' }));
    expect(create.mock.calls).toEqual([
      [{ name: 'New', scopes: ['agents:write'], expires_at: new Date('2027-01-02T03:04').toISOString() }],
    ]);
    expect(secret.getByText('va_live_secret')).toBeTruthy();
    expect(screen.queryByRole('dialog', { name: 'New API key' })).toBeNull();
    expect(list).toHaveBeenCalledTimes(2);
    fireEvent.click(secret.getByRole('button', { name: 'Close' }));
    expect(screen.queryByText('va_live_secret')).toBeNull();
  });

  it('needs a scope', async () => {
    await open({ list: listed(sampleApiKey()) });
    press('New API key');
    expect(screen.getByRole('button', { name: 'Create' })).toHaveProperty('disabled', true);
    fireEvent.click(box('calls:read'));
    expect(screen.getByRole('button', { name: 'Create' })).toHaveProperty('disabled', false);
  });

  it('offers the scopes of the session only', async () => {
    await open({ list: listed(sampleApiKey()) }, { scopes: ['api-keys:read', 'api-keys:write', 'calls:read'] });
    press('New API key');
    const enabled = screen.getAllByRole('checkbox').filter((each) => !(each as HTMLInputElement).disabled);
    expect(enabled.map((each) => each.getAttribute('aria-label'))).toEqual([
      'api-keys:read',
      'api-keys:write',
      'calls:read',
    ]);
  });

  it('disables the single scopes while all are chosen', async () => {
    await open({ list: listed(sampleApiKey()) });
    press('New API key');
    fireEvent.click(box('Everything (*)'));
    expect(box('calls:read')).toHaveProperty('disabled', true);
    fireEvent.click(box('Everything (*)'));
    expect(box('calls:read')).toHaveProperty('disabled', false);
  });

  it.each([true, false])('offers the scopes of the deployment to an operator: %s', async (isOperator) => {
    await open({ list: listed(sampleApiKey()) }, { isOperator });
    press('New API key');
    expect(screen.queryByRole('checkbox', { name: 'deployment:read' }) !== null).toBe(isOperator);
  });

  it('shows a refusal in the dialog, which stays open', async () => {
    const create: Keys['create'] = () => Promise.reject(refusal('too many keys'));
    await open({ list: listed(sampleApiKey()), create });
    press('New API key');
    type(within(dialog('New API key')).getByRole('textbox', { name: 'Name' }), 'New');
    fireEvent.click(box('calls:read'));
    press('Create');
    expect((await within(dialog('New API key')).findByRole('alert')).textContent).toContain('too many keys');
  });
});
