// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/dom';
import { act } from 'preact/test-utils';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Button } from '../../src/app/ui/button.tsx';
import { CopyButton } from '../../src/app/ui/copy-button.tsx';
import { SecretDialog } from '../../src/app/ui/dialog/secret-dialog.tsx';
import { ErrorNotice } from '../../src/app/ui/error-notice.tsx';
import { Switch } from '../../src/app/ui/form/switch.tsx';
import { PageTitle } from '../../src/app/ui/page-title.tsx';
import { saveFile } from '../../src/app/ui/save-file.ts';
import { useScheme } from '../../src/app/ui/use-scheme.ts';
import { collectSavedFiles } from '../support/saved-files.ts';
import { refusal } from '../support/session.ts';
import { show, showHook, until } from '../support/show.tsx';
import { press } from '../support/user.ts';

afterEach(() => void vi.useRealTimers());

describe('a button', () => {
  it('is disabled while its action runs', () => {
    const onClick = vi.fn();
    show(
      <Button isBusy onClick={onClick}>
        Save
      </Button>,
    );
    press('Save');
    expect(onClick).not.toHaveBeenCalled();
    expect(screen.getByRole('button', { name: 'Save', busy: true })).toBeTruthy();
  });

  it('submits a form only if it says so', () => {
    const onSubmit = vi.fn((event: Event) => event.preventDefault());
    show(
      <form onSubmit={onSubmit}>
        <Button>Cancel</Button>
        <Button type="submit">Save</Button>
      </form>,
    );
    press('Cancel');
    expect(onSubmit).not.toHaveBeenCalled();
    press('Save');
    expect(onSubmit).toHaveBeenCalledTimes(1);
  });
});

describe('the button that copies a text', () => {
  it('says that it is copied, for two seconds', async () => {
    vi.useFakeTimers();
    const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    show(<CopyButton text="va_live_1" label="Copy the key" />);
    press('Copy the key');
    await act(async () => {});
    expect(write.mock.calls).toEqual([['va_live_1']]);
    expect(screen.getByRole('button').textContent).toBe('Copied');
    void act(() => void vi.advanceTimersByTime(2_000));
    expect(screen.getByRole('button').textContent).toBe('Copy the key');
    write.mockRestore();
  });

  it('says that the text has to be selected if the browser forbids it', async () => {
    const write = vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('not allowed'));
    show(<CopyButton text="x" />);
    press('Copy');
    expect(await screen.findByRole('button', { name: 'Not copied: select the text' })).toBeTruthy();
    write.mockRestore();
  });
});

describe('the dialog of a new secret', () => {
  it('shows the secret with a button to copy it', () => {
    const onClose = vi.fn();
    show(<SecretDialog title="The new key" explanation="Copy it now." secret="va_live_9" onClose={onClose} />);
    expect(screen.getByText('va_live_9')).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Copy' }));
    press('Close');
    expect(onClose).toHaveBeenCalledTimes(1);
  });
});

describe('an error notice', () => {
  it.each([
    ['the message of an error', new Error('offline'), 'offline'],
    ['a thrown text', 'not allowed', 'not allowed'],
    ['the message and the request of a refusal', refusal('unknown field'), 'unknown fieldRequest req-1'],
    ['a refusal by a proxy without a request', refusal('bad gateway', { requestId: null }), 'bad gateway'],
  ])('shows %s', (_, error, text) => {
    show(<ErrorNotice error={error} />);
    expect(screen.getByRole('alert').textContent).toBe(text);
  });

  it('offers to try again', () => {
    const onRetry = vi.fn();
    show(<ErrorNotice error="offline" onRetry={onRetry} />);
    press('Try again');
    expect(onRetry).toHaveBeenCalledTimes(1);
  });
});

describe('a switch', () => {
  it.each([true, false])('asks for the opposite of %s', (isOn) => {
    const onChange = vi.fn();
    show(<Switch label="Office is active" isOn={isOn} words="Active" onChange={onChange} />);
    const element = screen.getByRole('switch', { name: 'Office is active' });
    expect(element.getAttribute('aria-checked')).toBe(String(isOn));
    fireEvent.click(element);
    expect(onChange.mock.calls).toEqual([[!isOn]]);
  });
});

describe('the title of a page', () => {
  it('is that of the document too', () => {
    const { rerender } = show(<PageTitle title="Agent" />);
    expect(document.title).toBe('Agent · Voice agents');
    rerender(<PageTitle title="Reception">Active</PageTitle>);
    expect(document.title).toBe('Reception · Voice agents');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Reception Active');
  });
});

describe('saveFile', () => {
  it('downloads the content under its name, and frees its URL later', async () => {
    vi.useFakeTimers();
    const files = collectSavedFiles();
    const revoke = vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => {});
    saveFile('leads.csv', new Blob(['a,b\r\n'], { type: 'text/csv' }));
    expect(files.map(({ name }) => name)).toEqual(['leads.csv']);
    expect(await files[0]?.content.text()).toBe('a,b\r\n');
    expect(revoke).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1_000);
    expect(revoke).toHaveBeenCalledTimes(1);
    revoke.mockRestore();
  });
});

describe('the counter of colour schemes', () => {
  it('counts changes while it is shown', async () => {
    const listeners = new Set<() => void>();
    const query: MediaQueryList = Object.getPrototypeOf(matchMedia('(prefers-color-scheme: dark)'));
    const add = vi.spyOn(query, 'addEventListener').mockImplementation((_, listener) => {
      listeners.add(listener as () => void);
    });
    const remove = vi.spyOn(query, 'removeEventListener').mockImplementation((_, listener) => {
      listeners.delete(listener as () => void);
    });
    const hook = showHook(useScheme);
    expect([hook.current, listeners.size]).toEqual([0, 1]);
    for (const listener of listeners) listener();
    await until(() => expect(hook.current).toBe(1));
    hook.unmount();
    expect(listeners.size).toBe(0);
    add.mockRestore();
    remove.mockRestore();
  });
});
