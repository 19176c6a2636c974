import type { JSX } from 'preact';
import { hrefOf } from '../../router/fragment.ts';
import { route } from '../../router/route.ts';
import { type ConsoleSession, can } from '../../session/session.ts';
import { settingsTexts } from '../../texts/en/settings.ts';
import { texts } from '../../texts/en.ts';
import { EmptyState } from '../../ui/list/empty-state.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { DoNotCall } from './do-not-call.tsx';
import { MailDomain } from './mail-domain.tsx';
import { Organization } from './organization.tsx';
import { ProviderKeys } from './provider-keys.tsx';

const parts = {
  organization: { scope: 'organizations:read', View: Organization },
  providers: { scope: 'byok:read', View: ProviderKeys },
  mail: { scope: 'domains:read', View: MailDomain },
  'do-not-call': { scope: 'campaigns:read', View: DoNotCall },
} as const;
const tabs = Object.keys(parts) as readonly (keyof typeof parts)[];

/** Routes `#/settings/<part>`. */
export function SettingsPage({ session }: { readonly session: ConsoleSession }): JSX.Element {
  const tab = tabs.find((each) => each === route.value.path[1]) ?? 'organization';
  const { scope, View } = parts[tab];
  return (
    <section class="page">
      <header class="page-head">
        <PageTitle title={settingsTexts.title} />
      </header>
      <Tabs
        label={settingsTexts.label}
        current={tab}
        tabs={tabs.map((id) => ({ id, title: settingsTexts.tabs[id], href: hrefOf(['settings', id]) }))}
      />
      {can(session.scopes, scope) ? <View session={session} /> : <EmptyState title={texts.shell.notAllowed(scope)} />}
    </section>
  );
}
