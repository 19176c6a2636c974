// @vitest-environment happy-dom
import { screen } from '@testing-library/dom';
import { beforeEach, describe, expect, it } from 'vitest';
import { focusPage } from '../../../src/app/ui/keyboard/page-focus.ts';
import { PageTitle } from '../../../src/app/ui/page-title.tsx';
import { show, showPage } from '../../support/show.tsx';

const focused = (): string | null => {
  const { activeElement, body } = document;
  return activeElement === null || activeElement === body ? null : (activeElement.textContent ?? '').trim();
};

beforeEach(() => {
  // Ends a navigation that an earlier page has not finished.
  showPage(<PageTitle title="Before" />).unmount();
  (document.activeElement as HTMLElement | null)?.blur();
});

describe('the focus after a navigation', () => {
  it('goes to the title of the page', () => {
    showPage(<PageTitle title="Agents" />);
    focusPage();
    expect(focused()).toBe('Agents');
    expect(screen.getByRole('heading').tabIndex).toBe(-1);
  });

  it('goes to the frame until the title is loaded', () => {
    const { rerender } = showPage(null);
    focusPage();
    expect(document.activeElement?.id).toBe('content');
    rerender(
      <main id="content" tabIndex={-1}>
        <PageTitle title="Agents" />
      </main>,
    );
    expect(focused()).toBe('Agents');
  });

  it('stays where it is within the page, such as on a tab', () => {
    showPage(
      <>
        <PageTitle title="Settings" />
        <a href="#/settings/mail">Mail domain</a>
      </>,
    );
    screen.getByRole('link').focus();
    focusPage();
    expect(focused()).toBe('Mail domain');
  });

  it('leaves the menu for the page', () => {
    show(<a href="#/agents">Agents</a>);
    showPage(<PageTitle title="All agents" />);
    screen.getByRole('link').focus();
    focusPage();
    expect(focused()).toBe('All agents');
  });

  it('moves to a title that replaces the focused one', () => {
    const { rerender } = showPage(<PageTitle key="loading" title="Agent" />);
    focusPage();
    rerender(
      <main id="content" tabIndex={-1}>
        <PageTitle key="loaded" title="Anna" />
      </main>,
    );
    expect(focused()).toBe('Anna');
  });

  it('is not taken by a title that appears while the user is elsewhere', () => {
    show(<input aria-label="Search" />);
    const { rerender } = showPage(<p>Nothing</p>);
    screen.getByRole('textbox').focus();
    rerender(
      <main id="content">
        <PageTitle title="Late" />
      </main>,
    );
    expect(document.activeElement).toBe(screen.getByRole('textbox'));
  });
});
