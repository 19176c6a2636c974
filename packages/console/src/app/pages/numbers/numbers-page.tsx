import type { JSX } from 'preact';
import { hrefOf } from '../../router/fragment.ts';
import { route } from '../../router/route.ts';
import { type ConsoleSession, can } from '../../session/session.ts';
import { numberTexts } from '../../texts/en/numbers.ts';
import { texts } from '../../texts/en.ts';
import { EmptyState } from '../../ui/list/empty-state.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Numbers } from './numbers.tsx';
import { TestCall } from './test-call.tsx';
import { Trunks } from './trunks.tsx';

const tabs = ['numbers', 'trunks', 'test'] as const;

/** Routes `#/numbers/numbers`, `#/numbers/trunks` and `#/numbers/test`. */
export function NumbersPage({ session }: { readonly session: ConsoleSession }): JSX.Element {
  const tab = tabs.find((each) => each === route.value.path[1]) ?? 'numbers';
  return (
    <section class="page">
      <header class="page-head">
        <PageTitle title={numberTexts.title} />
      </header>
      <Tabs
        label={numberTexts.label}
        current={tab}
        tabs={tabs.map((id) => ({ id, title: numberTexts.tabs[id], href: hrefOf(['numbers', id]) }))}
      />
      {tab === 'numbers' && <Numbers session={session} />}
      {tab === 'trunks' &&
        (can(session.scopes, 'trunks:read') ? (
          <Trunks session={session} />
        ) : (
          <EmptyState title={texts.shell.notAllowed('trunks:read')} />
        ))}
      {tab === 'test' && <TestCall session={session} />}
    </section>
  );
}
