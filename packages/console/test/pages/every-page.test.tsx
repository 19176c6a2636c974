// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/dom';
import type { WatchOptions } from '@va/client';
import { sampleAgent, sampleCall } from '@va/testkit';
import type { JSX } from 'preact';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { AgentsPage } from '../../src/app/pages/agents/agents-page.tsx';
import { CallsPage } from '../../src/app/pages/calls/calls-page.tsx';
import { CampaignsPage } from '../../src/app/pages/campaigns/campaigns-page.tsx';
import { HealthPage } from '../../src/app/pages/health/health-page.tsx';
import { KeysPage } from '../../src/app/pages/keys/keys-page.tsx';
import { LivePage } from '../../src/app/pages/live/live-page.tsx';
import { NumbersPage } from '../../src/app/pages/numbers/numbers-page.tsx';
import { SettingsPage } from '../../src/app/pages/settings/settings-page.tsx';
import { UsagePage } from '../../src/app/pages/usage/usage-page.tsx';
import { WebhooksPage } from '../../src/app/pages/webhooks/webhooks-page.tsx';
import type { ConsoleSession } from '../../src/app/session/session.ts';
import { watchKeys } from '../../src/app/ui/keyboard/keys.ts';
import {
  sampleApiKey,
  sampleCampaign,
  sampleDelivery,
  sampleOrganization,
  samplePublishableKey,
  sampleTrunk,
} from '../support/records.ts';
import { serveSchemas } from '../support/schemas.ts';
import { refusal, type ScriptedClient, sessionWith } from '../support/session.ts';
import { settle, showPage } from '../support/show.tsx';
import { press, textOf } from '../support/user.ts';

type View = (props: { readonly session: ConsoleSession }) => JSX.Element;
type Method = () => Promise<unknown>;

const never: Method = () => new Promise(() => {});
/** A stream that is connected and sends nothing. */
function silence(...args: readonly unknown[]): AsyncIterable<never> {
  const options = args.at(-1) as WatchOptions | undefined;
  queueMicrotask(() => options?.onConnection?.(true));
  return { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) };
}

/** A client of which all methods are unanswered, except the one at `path`, such as `apiKeys.list`. */
function clientWith(path: string, method: Method): ScriptedClient {
  const [group = '', name = ''] = path.split('.');
  const streams: Readonly<Record<string, object>> = {
    calls: { watch: silence, live: silence, events: silence },
    campaigns: { events: silence },
  };
  const methods = (of: string): object =>
    new Proxy(streams[of] ?? {}, {
      get: (known: Record<string, unknown>, key) =>
        of === group && key === name ? method : (known[String(key)] ?? never),
    });
  return new Proxy({}, { get: (_target, of) => methods(String(of)) });
}

const pages: readonly (readonly [name: string, fragment: string, method: string, View: View])[] = [
  ['the live calls', '#/live', 'calls.list', LivePage],
  ['a live call', '#/live/call-1', 'calls.get', LivePage],
  ['the calls', '#/calls', 'calls.list', CallsPage],
  ['a call', '#/calls/call-1', 'calls.get', CallsPage],
  ['the agents', '#/agents', 'agents.list', AgentsPage],
  ['an agent', '#/agents/agent-1', 'agents.get', AgentsPage],
  ['the first run', '#/agents/start', 'byok.config', AgentsPage],
  ['the campaigns', '#/campaigns', 'campaigns.list', CampaignsPage],
  ['a campaign', '#/campaigns/campaign-1', 'campaigns.get', CampaignsPage],
  ['the usage', '#/usage', 'statistics.get', UsagePage],
  ['the numbers', '#/numbers', 'numbers.list', NumbersPage],
  ['the trunks', '#/numbers/trunks', 'trunks.list', NumbersPage],
  ['the deliveries', '#/webhooks', 'webhookDeliveries.list', WebhooksPage],
  ['a delivery', '#/webhooks/delivery-1', 'webhookDeliveries.list', WebhooksPage],
  ['the API keys', '#/keys', 'apiKeys.list', KeysPage],
  ['the publishable keys', '#/keys/publishable', 'publishableKeys.list', KeysPage],
  ['the organization', '#/settings', 'organizations.get', SettingsPage],
  ['the provider keys', '#/settings/providers', 'byok.config', SettingsPage],
  ['the mail domain', '#/settings/mail', 'domains.get', SettingsPage],
  ['the do-not-call list', '#/settings/do-not-call', 'doNotCall.list', SettingsPage],
  ['the health', '#/health', 'health.get', HealthPage],
];

/** The list of live calls asks again later, which has tests of its own. */
const retried = pages.filter(([name]) => name !== 'the live calls');

describe('the page of', () => {
  it.each(pages)('%s has a title, and says that it is loading', (_name, fragment, method, View) => {
    showPage(<View session={sessionWith(clientWith(method, never))} />, fragment);
    const title = screen.getByRole('heading', { level: 1 });
    expect(textOf(title)).not.toBe('');
    expect(document.title).toBe(`${textOf(title)} · Voice agents`);
    expect(screen.getByText('Loading…').getAttribute('role')).toBe('status');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it.each(retried)(
    '%s shows why it cannot be loaded, and loads again on request',
    async (_name, fragment, path, View) => {
      const method = vi.fn<Method>(() => Promise.reject(refusal('not available')));
      showPage(<View session={sessionWith(clientWith(path, method))} />, fragment);
      const alert = await screen.findByRole('alert');
      expect(textOf(alert)).toBe('not availableRequest req-1Try again');
      expect(screen.queryByText('Loading…')).toBeNull();
      method.mockImplementation(never);
      const before = method.mock.calls.length;
      press('Try again');
      await waitFor(() => expect(method.mock.calls.length).toBe(before + 1));
      await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
    },
  );

  it.each(pages)('%s ends without a fault when it is left while it loads', async (_name, fragment, path, View) => {
    let fail: (error: Error) => void = () => {};
    const method: Method = () =>
      new Promise((_resolve, reject) => {
        fail = reject;
      });
    const { unmount } = showPage(<View session={sessionWith(clientWith(path, method))} />, fragment);
    unmount();
    fail(new Error('aborted'));
    await settle();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(document.querySelector('#content')).toBeNull();
  });
});

describe('the keys of a page', () => {
  beforeEach(() => {
    serveSchemas();
    onTestFinished(watchKeys());
  });

  it.each<[string, string, string, unknown, View, string]>([
    ['n', '#/agents', 'agents.list', [sampleAgent({ name: 'Anna' })], AgentsPage, 'New agent'],
    ['n', '#/keys', 'apiKeys.list', [sampleApiKey()], KeysPage, 'New API key'],
  ])('open a dialog with %s at %s', async (key, fragment, path, answer, View, title) => {
    const session = sessionWith({ byok: { config: async () => [] }, ...listing(path, answer) });
    showPage(<View session={session} />, fragment);
    await screen.findByRole('table');
    fireEvent.keyDown(document.body, { key });
    expect(screen.getByRole('dialog', { name: title })).toBeTruthy();
  });

  it.each<[string, string, unknown, View, string, readonly string[]]>([
    ['#/agents', 'agents.list', [sampleAgent({ id: 'agent-1' })], AgentsPage, '#/agents/agent-1', ['agents:read']],
    ['#/campaigns', 'campaigns.list', [sampleCampaign()], CampaignsPage, '#/campaigns/campaign-1', ['campaigns:read']],
    [
      '#/webhooks',
      'webhookDeliveries.list',
      { deliveries: [sampleDelivery()] },
      WebhooksPage,
      '#/webhooks/delivery-1',
      ['webhooks:read'],
    ],
  ])('focus the link of the first row with j at %s', async (fragment, path, answer, View, href, scopes) => {
    showPage(<View session={sessionWith(listing(path, answer), { scopes })} />, fragment);
    await screen.findByRole('table');
    fireEvent.keyDown(document.body, { key: 'j' });
    expect(document.activeElement?.getAttribute('href')).toBe(href);
  });

  it('focus the first row itself with j if it has no link', async () => {
    const session = sessionWith(listing('trunks.list', [sampleTrunk()]), { scopes: ['trunks:read'] });
    showPage(<NumbersPage session={session} />, '#/numbers/trunks');
    await screen.findByRole('table');
    fireEvent.keyDown(document.body, { key: 'j' });
    expect(document.activeElement?.tagName).toBe('TR');
    expect(document.activeElement?.textContent).toContain('Office');
  });

  it('open the form of a focused trunk with Enter, and do not switch the trunk off', async () => {
    const session = sessionWith(listing('trunks.list', [sampleTrunk()]), { scopes: ['trunks:read', 'trunks:write'] });
    showPage(<NumbersPage session={session} />, '#/numbers/trunks');
    await screen.findByRole('table');
    fireEvent.keyDown(document.body, { key: 'j' });
    fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Enter' });
    await screen.findByRole('dialog', { name: 'Office' });
    expect(screen.getByRole('switch').getAttribute('aria-checked')).toBe('true');
  });

  it('do not start another health check with r while one is running', async () => {
    const get = vi.fn(never);
    showPage(
      <HealthPage session={sessionWith(clientWith('health.get', get), { scopes: ['calls:read'] })} />,
      '#/health',
    );
    // The first check is never answered, so that its button stays busy.
    fireEvent.keyDown(document.body, { key: 'r' });
    await settle();
    expect(get).toHaveBeenCalledTimes(1);
  });
});

/** A client with the answer to one method, and all others unanswered. */
function listing(path: string, answer: unknown): ScriptedClient {
  const [group = '', name = ''] = path.split('.');
  return {
    trunks: { healthOfAll: never },
    [group]: { healthOfAll: never, [name]: async () => answer },
  } as ScriptedClient;
}

describe('the tabs of a page', () => {
  it.each<[string, View, ScriptedClient, readonly string[]]>([
    [
      '#/keys/publishable',
      KeysPage,
      listing('publishableKeys.list', [samplePublishableKey()]),
      ['#/keys/api', '#/keys/publishable'],
    ],
    [
      '#/settings/organization',
      SettingsPage,
      listing('organizations.get', sampleOrganization()),
      ['#/settings/organization', '#/settings/providers', '#/settings/mail', '#/settings/do-not-call'],
    ],
    [
      '#/numbers/numbers',
      NumbersPage,
      listing('numbers.list', []),
      ['#/numbers/numbers', '#/numbers/trunks', '#/numbers/test'],
    ],
  ])('at %s are links, of which it is the current one', async (fragment, View, client, hrefs) => {
    showPage(<View session={sessionWith(client)} />, fragment);
    await settle();
    const links = [...document.querySelectorAll('nav.tabs a')];
    expect(links.map((link) => link.getAttribute('href'))).toEqual(hrefs);
    expect(links.filter((link) => link.hasAttribute('aria-current')).map((link) => link.getAttribute('href'))).toEqual([
      fragment,
    ]);
  });

  it.each<[string, View, ScriptedClient, string]>([
    ['#/keys/other', KeysPage, listing('apiKeys.list', []), 'API keys'],
    ['#/settings/other', SettingsPage, listing('organizations.get', sampleOrganization()), 'Organization'],
    ['#/numbers/other', NumbersPage, listing('numbers.list', []), 'Numbers'],
  ])('at %s, which is unknown, start with the first', async (fragment, View, client, title) => {
    showPage(<View session={sessionWith(client)} />, fragment);
    await settle();
    expect(document.querySelector('nav.tabs [aria-current]')?.textContent).toBe(title);
  });
});

describe('the record of a URL', () => {
  it('is replaced with the URL, and not shown while the next one is loaded', async () => {
    const get = vi.fn(async (id: string) =>
      id === 'call-1' ? sampleCall({ id, caller_phone: '+31' }) : await never(),
    );
    const calls = { get, events: silence } as unknown as ScriptedClient['calls'];
    const session = sessionWith({ ...(calls !== undefined && { calls }) }, { scopes: ['calls:read'] });
    const { rerender } = showPage(<CallsPage session={session} />, '#/calls/call-1');
    await screen.findByRole('heading', { name: /^Call with \+31/ });
    location.hash = '#/calls/call-2';
    dispatchEvent(new HashChangeEvent('hashchange'));
    await waitFor(() => expect(get.mock.lastCall?.[0]).toBe('call-2'));
    await screen.findByText('Loading…');
    expect(screen.queryByRole('heading', { name: /^Call with/ })).toBeNull();
    rerender(null);
  });
});
