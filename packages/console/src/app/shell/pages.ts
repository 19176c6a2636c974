import type { JSX } from 'preact';
import { CallsPage } from '../pages/calls/calls-page.tsx';
import { HealthPage } from '../pages/health/health-page.tsx';
import { UsagePage } from '../pages/usage/usage-page.tsx';
import type { Session } from '../session/session.ts';
import { texts } from '../texts/en.ts';

/** A page of the console, reached at `#/<id>`; the rest of the path is its own. */
export interface Page {
  readonly id: string;
  readonly title: string;
  /** The scope without which the page shows nothing. */
  readonly scope: string;
  readonly View: (props: { readonly session: Session }) => JSX.Element;
}

/** All pages, in the order of the menu. */
export const pages: readonly Page[] = [
  { id: 'calls', title: texts.shell.pages.calls, scope: 'calls:read', View: CallsPage },
  { id: 'usage', title: texts.shell.pages.usage, scope: 'usage:read', View: UsagePage },
  { id: 'health', title: texts.shell.pages.health, scope: 'calls:read', View: HealthPage },
];
