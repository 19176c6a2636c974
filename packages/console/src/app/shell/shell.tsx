import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { hrefOf } from '../router/fragment.ts';
import { route } from '../router/route.ts';
import { type ConsoleSession, can, signOut } from '../session/session.ts';
import { texts } from '../texts/en.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/dialog/confirm.tsx';
import { isHelpOpen, watchKeys } from '../ui/keyboard/keys.ts';
import { focusPage } from '../ui/keyboard/page-focus.ts';
import { EmptyState } from '../ui/list/empty-state.tsx';
import { useCurrentInView } from '../ui/list/use-current-in-view.ts';
import { Toasts } from '../ui/notice/toast.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { Help } from './help.tsx';
import { type ConsolePage, pages } from './pages.ts';

/** The menu and the page of the current route. */
export function Shell({ session }: { readonly session: ConsoleSession }): JSX.Element {
  const { path: asked } = route.value;
  const first = pages.find(({ scope }) => can(session.scopes, scope)) ?? pages[0];
  const path = asked.length === 0 && first !== undefined ? [first.id] : asked;
  const page = pages.find(({ id }) => id === path[0]);
  const content = useRef<HTMLElement>(null);
  useEffect(focusPage, [path.join('/')]);
  const menu = useCurrentInView(page?.id ?? '');
  useEffect(watchKeys, []);
  return (
    <div class="shell">
      <button class="skip button" type="button" onClick={() => content.current?.focus()}>
        {texts.shell.skip}
      </button>
      <header class="menu">
        <strong class="brand">{texts.product}</strong>
        <nav ref={menu} aria-label={texts.shell.menu}>
          <ul>
            {pages
              .filter(({ scope }) => can(session.scopes, scope))
              .map((each) => (
                <li key={each.id}>
                  <a href={hrefOf([each.id])} aria-current={each === page ? 'page' : undefined}>
                    {each.title}
                  </a>
                </li>
              ))}
          </ul>
        </nav>
        <div class="menu-end">
          <Button
            kind="quiet"
            onClick={() => {
              isHelpOpen.value = true;
            }}
          >
            {texts.help.open} <kbd>?</kbd>
          </Button>
          <Button kind="quiet" onClick={signOut}>
            {texts.shell.signOut}
          </Button>
        </div>
      </header>
      <main id="content" ref={content} tabIndex={-1}>
        <Content page={page} first={first} session={session} />
      </main>
      <Help title={page?.title ?? texts.product} path={path} />
      <ConfirmDialog />
      <Toasts />
    </div>
  );
}

function Content(props: {
  readonly page: ConsolePage | undefined;
  readonly first: ConsolePage | undefined;
  readonly session: ConsoleSession;
}): JSX.Element {
  const { page, first, session } = props;
  if (page !== undefined && can(session.scopes, page.scope)) return <page.View session={session} />;
  return (
    <section class="page">
      <PageTitle title={page?.title ?? texts.errors.unknownTitle} />
      <EmptyState title={page === undefined ? texts.errors.unknownPage : texts.shell.notAllowed(page.scope)}>
        {first !== undefined && <a href={hrefOf([first.id])}>{texts.errors.toFirstPage(first.title)}</a>}
      </EmptyState>
    </section>
  );
}
