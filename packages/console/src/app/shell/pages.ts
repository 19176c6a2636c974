import type { JSX } from 'preact';
import type { ConsoleSession } from '../session/session.ts';
import { texts } from '../texts/en.ts';
import { lazy } from './lazy.tsx';

/** A page of the console at `#/<id>`; it interprets the rest of the path itself. */
export interface ConsolePage {
  readonly id: string;
  readonly title: string;
  /** Scope required to use the page. */
  readonly scope: string;
  readonly View: (props: { readonly session: ConsoleSession }) => JSX.Element;
}

/** All pages in menu order. */
export const pages: readonly ConsolePage[] = [
  {
    id: 'live',
    title: texts.shell.pages.live,
    scope: 'calls:read',
    View: lazy(async () => (await import('../pages/live/live-page.tsx')).LivePage),
  },
  {
    id: 'calls',
    title: texts.shell.pages.calls,
    scope: 'calls:read',
    View: lazy(async () => (await import('../pages/calls/calls-page.tsx')).CallsPage),
  },
  {
    id: 'agents',
    title: texts.shell.pages.agents,
    scope: 'agents:read',
    View: lazy(async () => (await import('../pages/agents/agents-page.tsx')).AgentsPage),
  },
  {
    id: 'campaigns',
    title: texts.shell.pages.campaigns,
    scope: 'campaigns:read',
    View: lazy(async () => (await import('../pages/campaigns/campaigns-page.tsx')).CampaignsPage),
  },
  {
    id: 'usage',
    title: texts.shell.pages.usage,
    scope: 'usage:read',
    View: lazy(async () => (await import('../pages/usage/usage-page.tsx')).UsagePage),
  },
  {
    id: 'numbers',
    title: texts.shell.pages.numbers,
    scope: 'numbers:read',
    View: lazy(async () => (await import('../pages/numbers/numbers-page.tsx')).NumbersPage),
  },
  {
    id: 'webhooks',
    title: texts.shell.pages.webhooks,
    scope: 'webhooks:read',
    View: lazy(async () => (await import('../pages/webhooks/webhooks-page.tsx')).WebhooksPage),
  },
  {
    id: 'keys',
    title: texts.shell.pages.keys,
    scope: 'api-keys:read',
    View: lazy(async () => (await import('../pages/keys/keys-page.tsx')).KeysPage),
  },
  {
    id: 'settings',
    title: texts.shell.pages.settings,
    scope: 'organizations:read',
    View: lazy(async () => (await import('../pages/settings/settings-page.tsx')).SettingsPage),
  },
  {
    id: 'health',
    title: texts.shell.pages.health,
    scope: 'calls:read',
    View: lazy(async () => (await import('../pages/health/health-page.tsx')).HealthPage),
  },
];
