// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/dom';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { describe, expect, it, vi } from 'vitest';
import { Dialog } from '../../../src/app/ui/dialog/dialog.tsx';
import { show } from '../../support/show.tsx';
import { dialog, press } from '../../support/user.ts';

/** A page whose button opens the dialog, and may disappear meanwhile. */
function Page({ children }: { readonly children: JSX.Element }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const [hasOpener, setOpener] = useState(true);
  return (
    <main id="content" tabIndex={-1}>
      {hasOpener && (
        <button type="button" onClick={() => setOpen(true)}>
          Open
        </button>
      )}
      {isOpen && (
        <Dialog title="Question" onClose={() => setOpen(false)}>
          {children}
          <button type="button" onClick={() => setOpener(false)}>
            Delete the opener
          </button>
        </Dialog>
      )}
    </main>
  );
}

function open(children: JSX.Element): HTMLElement {
  show(<Page>{children}</Page>);
  const opener = screen.getByRole('button', { name: 'Open' });
  opener.focus();
  fireEvent.click(opener);
  return opener;
}

describe('a dialog', () => {
  it('is opened as modal, with its title as name', () => {
    const showModal = vi.spyOn(HTMLDialogElement.prototype, 'showModal');
    open(<p>Text</p>);
    expect(dialog('Question')).toHaveProperty('open', true);
    expect(showModal).toHaveBeenCalledTimes(1);
    showModal.mockRestore();
  });

  it('focuses its first field', () => {
    open(
      <form>
        <button type="button">Before</button>
        <input aria-label="Disabled" disabled />
        <input aria-label="Name" />
      </form>,
    );
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Name' }));
  });

  it('focuses the first button after its close button without a field', () => {
    open(
      <footer>
        <button type="button">Cancel</button>
      </footer>,
    );
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Cancel' }));
  });

  it('gives the focus back when it is closed', () => {
    const opener = open(<p>Text</p>);
    press('Close');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(document.activeElement).toBe(opener);
  });

  it('gives the focus to the page if the opener is gone', () => {
    open(<p>Text</p>);
    press('Delete the opener');
    press('Close');
    expect(document.activeElement?.id).toBe('content');
  });

  it('lets its owner close it on Esc', () => {
    open(<p>Text</p>);
    const isLeftToBrowser = fireEvent(dialog('Question'), new Event('cancel', { cancelable: true }));
    expect(isLeftToBrowser).toBe(false);
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});
