// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import type { Client, PublishableKey } from '@va/client';
import { sampleAgent } from '@va/testkit';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { KeysPage } from '../../../src/app/pages/keys/keys-page.tsx';
import { samplePublishableKey } from '../../support/records.ts';
import { serveSchemas } from '../../support/schemas.ts';
import { refusal, sessionWith } from '../../support/session.ts';
import { showPage } from '../../support/show.tsx';
import { cellsOf, dialog, press, type } from '../../support/user.ts';

beforeEach(() => serveSchemas());

const agents = { list: async () => [sampleAgent({ id: 'agent-1', name: 'Reception' })] };

function open(keys: Partial<Client['publishableKeys']>, scopes: readonly string[] = ['*']): void {
  const session = sessionWith({ publishableKeys: keys, agents }, { scopes });
  showPage(<KeysPage session={session} />, '#/keys/publishable');
}

describe('the publishable keys', () => {
  it('are shown in part, with a button that copies the whole key', async () => {
    const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    open({ list: async () => [samplePublishableKey()] });
    const table = await screen.findByRole('table', { name: 'Publishable keys' });
    expect(cellsOf(table)).toEqual([
      ['Shop', 'va_pk_0123456789…Copy', 'https://shop.example.com', '60', 'Valid', 'Revoke'],
    ]);
    press('Copy');
    await screen.findByRole('button', { name: 'Copied' });
    expect(write.mock.calls).toEqual([['va_pk_0123456789abcdef']]);
    write.mockRestore();
  });

  it('are explained while there are none', async () => {
    open({ list: async () => [] });
    await screen.findByRole('heading', { name: 'No publishable keys' });
    expect(screen.getByText(/^With one, the pages of your site/)).toBeTruthy();
  });

  it('stay in the list as revoked', async () => {
    const revoke = vi.fn(async () => {});
    const list = vi.fn(async () => [samplePublishableKey()]);
    open({ list, delete: revoke });
    await screen.findByRole('table');
    press('Revoke');
    press('Revoke', dialog('Revoke Shop?'));
    list.mockResolvedValue([samplePublishableKey({ revoked_at: '2026-01-01T00:00:00.000Z' })]);
    await waitFor(() => expect(revoke.mock.calls).toEqual([['publishable-1']]));
    await waitFor(() => expect(cellsOf(screen.getByRole('table'))[0]?.slice(-2)).toEqual(['Revoked', '']));
  });

  it.each([
    ['that writes keys alone', ['api-keys:read', 'api-keys:write'], false],
    ['that also writes calls', ['api-keys:write', 'calls:write'], false],
    ['that may also read agents', ['api-keys:write', 'calls:write', 'agents:read'], true],
  ])('can be created by a key %s: %s', async (_, scopes, mayCreate) => {
    open({ list: async () => [] }, scopes);
    await screen.findByRole('heading', { name: 'No publishable keys' });
    expect(screen.queryByRole('button', { name: 'New publishable key' }) !== null).toBe(mayCreate);
  });
});

describe('creating a publishable key', () => {
  async function openForm(create: (values: object) => Promise<PublishableKey>): Promise<HTMLElement> {
    const list = vi.fn(async () => [samplePublishableKey()]);
    open({ list, create: create as Client['publishableKeys']['create'] });
    await screen.findByRole('table');
    press('New publishable key');
    return await screen.findByRole('dialog', { name: 'New publishable key' });
  }

  it('sends its agents, origins and limits', async () => {
    const create = vi.fn(async (_values: object) => samplePublishableKey());
    const form = within(await openForm(create));
    type(form.getByRole('textbox', { name: 'Name' }), 'Shop');
    fireEvent.click(form.getByRole('checkbox', { name: 'Reception' }));
    type(form.getByRole('textbox', { name: 'Origins' }), 'https://a.example\nhttps://b.example');
    type(form.getByRole('spinbutton', { name: 'Minutes a day' }), '30');
    press('Create');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(create.mock.calls).toEqual([
      [
        {
          name: 'Shop',
          agents: ['agent-1'],
          origins: ['https://a.example', 'https://b.example'],
          minutes_per_day: 30,
        },
      ],
    ]);
  });

  it('shows the fault of an origin at its field', async () => {
    const message = 'expected an origin such as https://www.example.com';
    const errors = [{ path: 'origins', code: 'invalid_field', message }];
    const form = within(await openForm(() => Promise.reject(refusal('origins: invalid', { errors }))));
    press('Create');
    await form.findByRole('alert');
    expect(form.getByRole('textbox', { name: 'Origins' }).getAttribute('aria-invalid')).toBe('true');
    expect(form.getByText(message)).toBeTruthy();
  });

  it('shows why the form cannot be opened', async () => {
    const list = async () => [samplePublishableKey()];
    const session = sessionWith({
      publishableKeys: { list },
      agents: { list: () => Promise.reject(refusal('agents are unavailable')) },
    });
    showPage(<KeysPage session={session} />, '#/keys/publishable');
    await screen.findByRole('table');
    press('New publishable key');
    await screen.findByText('agents are unavailable');
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});
