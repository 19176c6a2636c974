// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/dom';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { App } from '../../src/app/app.tsx';
import { session } from '../../src/app/session/session.ts';
import { goTo, show } from '../support/show.tsx';
import { press, textOf, type } from '../support/user.ts';

const requests: (string | null)[] = [];
/** The response to a request by its key; null without a key. */
let respond: (key: string | null) => Response;

const accepted = (): Response =>
  Response.json({ success: true, organization_id: 'o', scopes: [], key_id: 'k', subject: null, is_operator: false });
const refused = (status: number, message: string): Response =>
  Response.json({ success: false, code: 'unauthorized', message }, { status });

beforeEach(() => {
  requests.length = 0;
  session.value = 'unknown';
  respond = (key) => (key === 'Bearer va_live_1' ? accepted() : refused(401, 'No credentials.'));
  vi.stubGlobal('fetch', async (input: Request | string, init?: RequestInit) => {
    const key = new Request(input, init).headers.get('authorization');
    requests.push(key);
    return respond(key);
  });
});
afterEach(() => {
  session.value = 'unknown';
  vi.unstubAllGlobals();
});

async function openForm(): Promise<HTMLElement> {
  goTo('#/nowhere');
  show(<App />);
  return await screen.findByLabelText('API key');
}

describe('the sign-in', () => {
  it('is skipped with a session of the host', async () => {
    respond = accepted;
    goTo('#/nowhere');
    show(<App />);
    expect(screen.getByText('Loading…')).toBeTruthy();
    await screen.findByRole('navigation', { name: 'Menu' });
    expect(requests).toEqual([null]);
    expect(session.value).toMatchObject({ apiKey: null });
  });

  it('accepts an API key without the spaces around it', async () => {
    const field = await openForm();
    expect([(field as HTMLInputElement).type, document.title]).toEqual(['password', 'Sign in · Voice agents']);
    expect(screen.getByRole('button', { name: 'Sign in' })).toHaveProperty('disabled', true);
    type(field, ' va_live_1 ');
    press('Sign in');
    await screen.findByRole('navigation', { name: 'Menu' });
    expect(session.value).toMatchObject({ apiKey: 'va_live_1' });
  });

  it('says that a key is refused, and lets it be corrected', async () => {
    const field = await openForm();
    type(field, 'wrong');
    press('Sign in');
    expect(textOf(await screen.findByRole('alert'))).toBe('The service does not accept this key.');
    type(field, 'va_live_1');
    press('Sign in');
    await screen.findByRole('navigation', { name: 'Menu' });
  });

  it('shows another fault with its message', async () => {
    const field = await openForm();
    respond = () => refused(403, 'The organization is closed.');
    type(field, 'va_live_1');
    press('Sign in');
    expect(textOf(await screen.findByRole('alert'))).toContain('The organization is closed.');
  });

  it('sends one request at a time', async () => {
    const field = await openForm();
    type(field, 'va_live_1');
    press('Sign in');
    const button = screen.getByRole('button', { name: 'Sign in' });
    expect([button.getAttribute('aria-busy'), button.hasAttribute('disabled')]).toEqual(['true', true]);
    fireEvent.click(button);
    await screen.findByRole('navigation', { name: 'Menu' });
    expect(requests.filter((key) => key !== null)).toHaveLength(1);
  });

  it('is needed again after the sign-out, and forgets the key', async () => {
    type(await openForm(), 'va_live_1');
    press('Sign in');
    await screen.findByRole('navigation', { name: 'Menu' });
    press('Sign out');
    await waitFor(() => expect(screen.getByLabelText('API key')).toHaveProperty('value', ''));
  });
});
