// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import type { Client, PhoneNumber } from '@va/client';
import { sampleAgent } from '@va/testkit';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { NumbersPage } from '../../../src/app/pages/numbers/numbers-page.tsx';
import { sampleNumber, sampleTrunk } from '../../support/records.ts';
import { serveSchemas } from '../../support/schemas.ts';
import { deferred, refusal, sessionWith } from '../../support/session.ts';
import { showPage } from '../../support/show.tsx';
import { cellsOf, choose, dialog, press, type } from '../../support/user.ts';

beforeEach(() => serveSchemas());

type Numbers = Client['numbers'];

const agents = { list: async () => [sampleAgent({ id: 'agent-1', name: 'Reception' })] };
const trunks = { list: async () => [sampleTrunk()] };

async function open(methods: Partial<Numbers>, scopes: readonly string[] = ['*']): Promise<HTMLElement> {
  const session = sessionWith({ numbers: methods, agents, trunks }, { scopes });
  showPage(<NumbersPage session={session} />, '#/numbers');
  return await screen.findByRole('table', { name: 'Numbers' });
}
const listed = (...numbers: readonly PhoneNumber[]) => vi.fn(async () => [...numbers]);

describe('the phone numbers', () => {
  it('are listed with the agents that answer', async () => {
    const other = sampleNumber({ id: 'n2', number: '+32470123456', name: null, agent_id: null, is_active: false });
    const table = await open({ list: listed(sampleNumber({ transfer_trunk_name: 'Office' }), other) }, [
      'numbers:read',
    ]);
    expect(cellsOf(table)).toEqual([
      ['+31201234567', 'Front desk', 'Reception', 'Office', 'Active'],
      ['+32470123456', '–', 'Nobody answers', '–', 'Inactive'],
    ]);
    expect(screen.getByRole('link', { name: 'Reception' }).getAttribute('href')).toBe('#/agents/agent-1');
    expect(screen.queryAllByRole('button')).toEqual([]);
  });

  it('show the id of an agent without a name', async () => {
    await open({ list: listed(sampleNumber({ agent_name: null })) });
    expect(screen.getByRole('link', { name: 'agent-1' })).toBeTruthy();
  });

  it('are switched off at once', async () => {
    const sent = deferred<PhoneNumber>();
    const update = vi.fn((_id: string, _changes: object) => sent.promise);
    const list = listed(sampleNumber());
    await open({ list, update: update as Numbers['update'] });
    const element = screen.getByRole('switch', { name: '+31201234567 is active' });
    fireEvent.click(element);
    await waitFor(() => expect(element.getAttribute('aria-checked')).toBe('false'));
    expect(update.mock.calls).toEqual([['number-1', { is_active: false }]]);
    sent.reject(refusal('the number is in use'));
    await screen.findByText('the number is in use');
    expect(element.getAttribute('aria-checked')).toBe('true');
  });

  it('are deleted after a confirmation', async () => {
    const remove = vi.fn(async () => {});
    const list = listed(sampleNumber());
    await open({ list, delete: remove });
    press('Delete');
    list.mockResolvedValue([]);
    press('Delete', dialog('Delete +31201234567?'));
    await screen.findByRole('heading', { name: 'No numbers' });
    expect(remove.mock.calls).toEqual([['number-1']]);
    await screen.findByText('Deleted.');
  });
});

describe('the form of a number', () => {
  it('registers a number with its agent', async () => {
    const register = vi.fn(async (_values: object) => sampleNumber());
    const list = listed(sampleNumber());
    await open({ list, register: register as Numbers['register'] });
    press('Register a number');
    const form = within(await screen.findByRole('dialog', { name: 'Register a number' }));
    type(form.getByRole('textbox', { name: 'Number' }), '+32470123456');
    choose(form.getByRole('combobox', { name: 'Agent' }), 'agent-1');
    expect(form.getByRole('checkbox', { name: 'Active' })).toHaveProperty('checked', true);
    press('Save');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(register.mock.calls).toEqual([[{ phone_number: '+32470123456', agent_id: 'agent-1', is_active: true }]]);
    expect(list).toHaveBeenCalledTimes(2);
  });

  it('sends the changed fields of a number only', async () => {
    const update = vi.fn(async (_id: string, _changes: object) => sampleNumber());
    await open({ list: listed(sampleNumber({ transfer_trunk_id: 'trunk-1' })), update: update as Numbers['update'] });
    press('Edit');
    const form = within(await screen.findByRole('dialog', { name: '+31201234567' }));
    expect(form.getByRole('textbox', { name: 'Name' })).toHaveProperty('value', 'Front desk');
    expect(form.queryByRole('textbox', { name: 'Number' })).toBeNull();
    choose(form.getByRole('combobox', { name: 'Transfer trunk' }), '');
    press('Save');
    await waitFor(() => expect(update.mock.calls).toEqual([['number-1', { transfer_trunk_id: null }]]));
  });

  it('shows the fault of the number at its field', async () => {
    const message = 'expected an international number in E.164';
    const errors = [{ path: 'phone_number', code: 'invalid_phone_number', message }];
    await open({ list: listed(sampleNumber()), register: () => Promise.reject(refusal('phone_number', { errors })) });
    press('Register a number');
    const form = within(await screen.findByRole('dialog'));
    type(form.getByRole('textbox', { name: 'Number' }), '020');
    press('Save');
    await form.findByText(message);
    expect(form.getByRole('textbox', { name: 'Number' }).getAttribute('aria-invalid')).toBe('true');
  });

  it('offers no agents and trunks that the session may not read', async () => {
    await open({ list: listed(sampleNumber()) }, ['numbers:read', 'numbers:write']);
    press('Edit');
    const form = within(await screen.findByRole('dialog'));
    expect(form.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['–', '–']);
  });
});
