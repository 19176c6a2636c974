// @vitest-environment happy-dom
import { screen, within } from '@testing-library/dom';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { attempt, notify, notifyError } from '../../../src/app/ui/notice/toast.tsx';
import { refusal } from '../../support/session.ts';
import { showPage } from '../../support/show.tsx';
import { textOf } from '../../support/user.ts';

const notices = (): string[] => [...document.querySelectorAll('.toasts .notice p:first-child')].map(textOf);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a notice', () => {
  it('of success disappears after five seconds', () => {
    showPage(null);
    void act(() => notify('Saved.'));
    void act(() => void vi.advanceTimersByTime(4_999));
    expect(notices()).toEqual(['Saved.']);
    void act(() => void vi.advanceTimersByTime(1));
    expect(notices()).toEqual([]);
  });

  it('of an error stays until it is dismissed', () => {
    showPage(null);
    void act(() => notifyError(new Error('offline')));
    void act(() => void vi.advanceTimersByTime(60_000));
    expect(notices()).toEqual(['offline']);
    const button = within(screen.getByRole('status')).getByRole('button', { name: 'Close' });
    void act(() => button.click());
    expect(notices()).toEqual([]);
  });

  it('of a refusal has the id of its request', () => {
    showPage(null);
    void act(() => notifyError(refusal('unknown key', { requestId: 'req-7' })));
    expect(screen.getByText('req-7').tagName).toBe('CODE');
  });

  it('of a thrown text shows it', () => {
    showPage(null);
    void act(() => notifyError('no microphone'));
    expect(notices()).toEqual(['no microphone']);
  });

  it('pushes out the oldest beyond five', () => {
    showPage(null);
    void act(() => {
      for (let n = 1; n <= 7; n += 1) notifyError(new Error(String(n)));
    });
    expect(notices()).toEqual(['3', '4', '5', '6', '7']);
  });
});

describe('attempt', () => {
  it('reports the success of an action', async () => {
    showPage(null);
    expect(await attempt(async () => 1, 'Done.')).toBe(true);
    void act(() => {});
    expect(notices()).toEqual(['Done.']);
  });

  it('says nothing of a success without a text', async () => {
    showPage(null);
    expect(await attempt(async () => 1)).toBe(true);
    expect(notices()).toEqual([]);
  });

  it('reports a failure instead of the success', async () => {
    showPage(null);
    expect(await attempt(() => Promise.reject(new Error('refused')), 'Done.')).toBe(false);
    void act(() => {});
    expect(notices()).toEqual(['refused']);
  });
});
