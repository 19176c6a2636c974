import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { hrefOf, route } from '../router/route.ts';
import { can, type Session, signOut } from '../session/session.ts';
import { texts } from '../texts/en.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/dialog/confirm.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { isHelpOpen, watchKeys } from '../ui/keyboard/keys.ts';
import { Toasts } from '../ui/notice/toast.tsx';
import { Help } from './help.tsx';
import { type Page, pages } from './pages.ts';

/** The menu, and the page that the URL names. */
export function Shell({ session }: { readonly session: Session }): JSX.Element {
  const first = pages.find(({ scope }) => can(session.scopes, scope)) ?? pages[0];
  const [id = first?.id] = route.value.path;
  const page = pages.find((each) => each.id === id);
  useEffect(() => {
    document.title = `${page?.title ?? ''} · ${texts.product}`;
  }, [page]);
  useEffect(watchKeys, []);
  return (
    <div class="shell">
      <a class="skip" href="#content">
        {texts.shell.skip}
      </a>
      <nav class="menu" aria-label={texts.shell.menu}>
        <strong class="brand">{texts.product}</strong>
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
        <Button
          kind="quiet"
          onClick={() => {
            isHelpOpen.value = true;
          }}
        >
          {texts.help.title}
        </Button>
        <Button kind="quiet" onClick={signOut}>
          {texts.shell.signOut}
        </Button>
      </nav>
      <main id="content" tabIndex={-1}>
        <Content page={page} session={session} />
      </main>
      <Help />
      <ConfirmDialog />
      <Toasts />
    </div>
  );
}

function Content({ page, session }: { readonly page: Page | undefined; readonly session: Session }): JSX.Element {
  if (page === undefined) return <EmptyState title={texts.errors.unknownPage} />;
  if (!can(session.scopes, page.scope)) return <EmptyState title={texts.shell.notAllowed(page.scope)} />;
  return <page.View session={session} />;
}
