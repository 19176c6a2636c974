import type { JSX } from 'preact';
import { hrefOf } from '../../router/fragment.ts';
import { route } from '../../router/route.ts';
import type { ConsoleSession } from '../../session/session.ts';
import { keyTexts } from '../../texts/en/keys.ts';
import { PageTitle } from '../../ui/page-title.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { ApiKeys } from './api-keys.tsx';
import { PublishableKeys } from './publishable-keys.tsx';

/** Routes `#/keys/api` and `#/keys/publishable`. */
export function KeysPage({ session }: { readonly session: ConsoleSession }): JSX.Element {
  const tab = route.value.path[1] === 'publishable' ? 'publishable' : 'api';
  return (
    <section class="page">
      <header class="page-head">
        <PageTitle title={keyTexts.title} />
      </header>
      <Tabs
        label={keyTexts.label}
        current={tab}
        tabs={(['api', 'publishable'] as const).map((id) => ({
          id,
          title: keyTexts.tabs[id],
          href: hrefOf(['keys', id]),
        }))}
      />
      {tab === 'api' ? <ApiKeys session={session} /> : <PublishableKeys session={session} />}
    </section>
  );
}
