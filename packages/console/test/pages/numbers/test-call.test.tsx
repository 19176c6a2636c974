// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/dom';
import type { Client } from '@va/client';
import { sampleAgent } from '@va/testkit';
import { describe, expect, it, vi } from 'vitest';
import { NumbersPage } from '../../../src/app/pages/numbers/numbers-page.tsx';
import { sampleNumber } from '../../support/records.ts';
import { deferred, refusal, sessionWith } from '../../support/session.ts';
import { showPage } from '../../support/show.tsx';
import { choose, press, type } from '../../support/user.ts';

type Place = Client['calls']['place'];

const agents = {
  list: async () => [sampleAgent({ id: 'agent-1', name: 'Reception' }), sampleAgent({ id: 'agent-2', name: 'Sales' })],
};
const numbers = { list: async () => [sampleNumber()] };

async function open(place: Place): Promise<HTMLElement> {
  showPage(<NumbersPage session={sessionWith({ agents, numbers, calls: { place } })} />, '#/numbers/test');
  return await screen.findByRole('textbox', { name: /^Your number/ });
}

describe('the test call', () => {
  it('calls the user, from the first agent and any of its numbers by default', async () => {
    const placed = deferred<Awaited<ReturnType<Place>>>();
    const place = vi.fn<Place>(() => placed.promise);
    const field = await open(place);
    const button = screen.getByRole('button', { name: 'Call me' });
    expect(button).toHaveProperty('disabled', true);
    type(field, ' +31612345678 ');
    press('Call me');
    expect(place.mock.calls).toEqual([[{ destination: '+31612345678', agent_id: 'agent-1' }]]);
    expect(button.getAttribute('aria-busy')).toBe('true');
    placed.resolve({ call_id: 'call-7' } as Awaited<ReturnType<Place>>);
    const link = await screen.findByRole('link', { name: 'Open the call' });
    expect(link.getAttribute('href')).toBe('#/calls/call-7');
  });

  it('uses the chosen agent and number', async () => {
    const place = vi.fn<Place>(() => new Promise(() => {}));
    type(await open(place), 'sip:anna@example.com');
    choose(screen.getByRole('combobox', { name: 'Agent' }), 'agent-2');
    choose(screen.getByRole('combobox', { name: 'Call from' }), 'number-1');
    press('Call me');
    expect(place.mock.calls).toEqual([
      [{ destination: 'sip:anna@example.com', agent_id: 'agent-2', number_id: 'number-1' }],
    ]);
  });

  it('shows why it was refused, in place of the call before', async () => {
    const place = vi.fn<Place>().mockResolvedValueOnce({ call_id: 'call-7' } as Awaited<ReturnType<Place>>);
    place.mockRejectedValueOnce(refusal('premium-rate numbers are not allowed'));
    type(await open(place), '+31612345678');
    press('Call me');
    await screen.findByText('The call is placed.');
    press('Call me');
    expect((await screen.findByRole('alert')).textContent).toContain('premium-rate numbers are not allowed');
    expect(screen.queryByText('The call is placed.')).toBeNull();
  });

  it('says which scope is missing', () => {
    showPage(<NumbersPage session={sessionWith({}, { scopes: ['numbers:read'] })} />, '#/numbers/test');
    expect(screen.getByText('Your key cannot place calls (scope calls:write).')).toBeTruthy();
  });

  it('cannot start without an agent', async () => {
    const session = sessionWith({ agents: { list: async () => [] }, numbers });
    showPage(<NumbersPage session={session} />, '#/numbers/test');
    type(await screen.findByRole('textbox', { name: /^Your number/ }), '+31612345678');
    await waitFor(() => expect(screen.getByRole('button', { name: 'Call me' })).toHaveProperty('disabled', true));
  });

  it('shows why agents and numbers cannot be loaded', async () => {
    const session = sessionWith({ agents: { list: () => Promise.reject(new Error('offline')) }, numbers });
    showPage(<NumbersPage session={session} />, '#/numbers/test');
    expect((await screen.findByRole('alert')).textContent).toContain('offline');
  });
});
