// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import { describe, expect, it, vi } from 'vitest';
import { session as currentSession } from '../../src/app/session/session.ts';
import { lazy } from '../../src/app/shell/lazy.tsx';
import { Shell } from '../../src/app/shell/shell.tsx';
import { sampleApiKey, sampleOrganization } from '../support/records.ts';
import { deferred, sessionWith } from '../support/session.ts';
import { goTo, show } from '../support/show.tsx';
import { press, textOf } from '../support/user.ts';

const client = {
  apiKeys: { list: async () => [sampleApiKey(), sampleApiKey({ id: 'b', name: 'Other' })] },
  organizations: { get: async () => sampleOrganization() },
};

function open(fragment: string, scopes: readonly string[] = ['*']) {
  goTo(fragment);
  return show(<Shell session={sessionWith(client, { scopes })} />);
}

const menu = () => within(screen.getByRole('navigation', { name: 'Menu' }));

describe('the menu', () => {
  it('has the pages that the session may read', () => {
    open('#/keys', ['api-keys:read', 'organizations:read', 'agents:write']);
    expect(
      menu()
        .getAllByRole('link')
        .map((link) => [link.textContent, link.getAttribute('href')]),
    ).toEqual([
      ['Keys', '#/keys'],
      ['Settings', '#/settings'],
    ]);
  });

  it('has all pages for a key with all scopes', () => {
    open('#/keys');
    expect(
      menu()
        .getAllByRole('link')
        .map(({ textContent }) => textContent),
    ).toEqual([
      ...['Live', 'Calls', 'Agents', 'Campaigns', 'Usage and quality', 'Numbers', 'Webhooks', 'Keys', 'Settings'],
      'Health',
    ]);
  });

  it('marks the page', async () => {
    open('#/keys');
    await screen.findByRole('table');
    expect(menu().getByRole('link', { current: 'page' }).textContent).toBe('Keys');
    goTo('#/settings');
    await screen.findByText('Harbour Restaurant');
    expect(menu().getByRole('link', { current: 'page' }).textContent).toBe('Settings');
  });
});

describe('the page of a route', () => {
  it('is the first that the session may read, without a route', async () => {
    open('#/', ['organizations:read']);
    await screen.findByText('Harbour Restaurant');
    expect(document.title).toBe('Settings · Voice agents');
  });

  it('that is unknown links to the first one', () => {
    open('#/nowhere', ['organizations:read']);
    expect(screen.getByRole('heading', { name: 'There is no such page.' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Go to Settings' }).getAttribute('href')).toBe('#/settings');
  });

  it('that the session may not read names the missing scope', () => {
    open('#/keys', ['organizations:read']);
    expect(screen.getByRole('heading', { name: 'Your key lacks the scope api-keys:read.' })).toBeTruthy();
    expect(screen.getByRole('heading', { level: 1 }).textContent).toContain('Keys');
  });

  it('is the first one for a session without scopes, which names the missing one', () => {
    open('#/', []);
    expect(screen.getByRole('heading', { name: 'Your key lacks the scope calls:read.' })).toBeTruthy();
    expect(menu().queryByRole('link')).toBeNull();
  });

  it('has the focus on its title after a navigation, not on the first load', async () => {
    open('#/keys');
    await screen.findByRole('table');
    const link = menu().getByRole('link', { name: 'Settings' });
    link.focus();
    goTo('#/settings');
    await waitFor(() => expect(document.activeElement?.textContent).toContain('Settings'));
    expect(document.activeElement?.tagName).toBe('H1');
  });
});

describe('the shell', () => {
  it('skips to the content', async () => {
    open('#/keys');
    await screen.findByRole('table');
    press('Skip to the content');
    expect(document.activeElement?.id).toBe('content');
  });

  it('signs out', () => {
    const before = currentSession.value;
    currentSession.value = sessionWith({});
    open('#/nowhere');
    press('Sign out');
    expect(currentSession.value).toBeNull();
    currentSession.value = before;
  });
});

describe('the help', () => {
  const section = (title: string): readonly string[] =>
    [...screen.getByRole('region', { name: title }).querySelectorAll('dl > div')].map(textOf);

  it('explains the page and its keys', async () => {
    open('#/keys');
    await screen.findByRole('table');
    fireEvent.keyDown(document.body, { key: '?' });
    const help = screen.getByRole('dialog', { name: 'Help: Keys' });
    expect(textOf(help)).toContain('The secret of an API key is shown once.');
    expect(section('Keys of this page')).toEqual(['jNext row', 'kPrevious row', 'EnterOpen the row', 'nNew API key']);
    expect(section('Keys of every page')).toContain('?This help');
    press('Close', help);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('explains the record of a page', () => {
    open('#/calls/call-1', []);
    press(/^Help/);
    expect(screen.getByText(/^The record of a call/)).toBeTruthy();
    expect(screen.queryByRole('region', { name: 'Keys of this page' })).toBeNull();
    press('Close', screen.getByRole('dialog'));
  });

  it('does not pass keys to the page while its dialog is open', async () => {
    open('#/keys');
    await screen.findByRole('table');
    press(/^Help/);
    fireEvent.keyDown(document.body, { key: 'n' });
    expect(screen.getAllByRole('dialog')).toHaveLength(1);
    press('Close', screen.getByRole('dialog'));
  });

  it('no longer opens once the shell is removed', async () => {
    const { unmount } = open('#/keys');
    await screen.findByRole('table');
    unmount();
    show(<main id="content" />);
    expect(fireEvent.keyDown(document.body, { key: '?' })).toBe(true);
  });
});

describe('a page that is loaded on demand', () => {
  const Page = ({ name }: { readonly name: string }) => <p>Page of {name}</p>;

  it('is loaded once', async () => {
    const load = vi.fn(async () => Page);
    const Lazy = lazy(load);
    const { unmount } = show(<Lazy name="Anna" />);
    expect(screen.getByText('Loading…')).toBeTruthy();
    await screen.findByText('Page of Anna');
    unmount();
    show(<Lazy name="Bea" />);
    expect(screen.getByText('Page of Bea')).toBeTruthy();
    expect(load).toHaveBeenCalledTimes(1);
  });

  it('can be loaded again after a failure', async () => {
    const loaded = deferred<typeof Page>();
    const load = vi.fn(() => loaded.promise).mockRejectedValueOnce(new Error('offline'));
    const Lazy = lazy(load);
    show(<Lazy name="Anna" />);
    expect(textOf(await screen.findByRole('alert'))).toContain('offline');
    press('Try again');
    expect(screen.getByText('Loading…')).toBeTruthy();
    loaded.resolve(Page);
    await screen.findByText('Page of Anna');
  });
});
