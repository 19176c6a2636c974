// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import type { Agent, Client } from '@va/client';
import { sampleAgent } from '@va/testkit';
import { describe, expect, it, vi } from 'vitest';
import { AgentsPage } from '../../../src/app/pages/agents/agents-page.tsx';
import { draftsOf, fieldsOf } from '../../../src/app/pages/agents/drafts.ts';
import { formatTime } from '../../../src/app/ui/values/format.ts';
import { sampleProvider } from '../../support/records.ts';
import { refusal, sessionWith } from '../../support/session.ts';
import { showPage } from '../../support/show.tsx';
import { cellsOf, dialog, press, rowOf, textOf, type } from '../../support/user.ts';

type Agents = Client['agents'];

const complete = {
  llm_config: { provider: 'openai', model: 'gpt-4o', messages: [], tools: [] },
  stt_config: { provider: 'deepgram' },
  tts_config: { provider: 'elevenlabs', voiceId: 'rachel' },
} as unknown as Partial<Agent>;
const anna: Agent = sampleAgent({ id: 'a', name: 'Anna', ...(complete as object) });
const bea: Agent = sampleAgent({ id: 'b', name: 'Bea', business_name: 'Harbour', is_active: false });

const catalog = [
  sampleProvider(),
  sampleProvider({ id: 'openai', name: 'OpenAI', category: 'llm' }),
  sampleProvider({ id: 'cartesia', name: 'Cartesia', category: 'tts', voices: [{ id: 'sonic', name: 'Sonic' }] }),
];

function open(methods: Partial<Agents>, fragment = '#/agents', scopes: readonly string[] = ['*']) {
  const session = sessionWith({ agents: methods, byok: { config: async () => catalog } }, { scopes });
  showPage(<AgentsPage session={session} />, fragment);
  return session;
}
const listed = (...agents: readonly Agent[]) => vi.fn(async () => [...agents]);
const names = (): readonly (string | undefined)[] => cellsOf(screen.getByRole('table')).map(([name]) => name);

describe('the list of agents', () => {
  it('shows their engines and whether they take calls', async () => {
    const incomplete = sampleAgent({ id: 'c', name: 'Cleo' });
    open({ list: listed(anna, bea, incomplete) }, '#/agents', ['agents:read']);
    const changed = formatTime(anna.updated_at);
    expect(cellsOf(await screen.findByRole('table', { name: 'Agents' }))).toEqual([
      ['Anna', 'gpt-4o', 'rachel', 'Active', changed],
      ['Bea', '–', '–', 'Inactive', formatTime(bea.updated_at)],
      ['Cleo', '–', '–', 'Incomplete', formatTime(incomplete.updated_at)],
    ]);
    expect(screen.getByRole('link', { name: 'Anna' }).getAttribute('href')).toBe('#/agents/a');
    expect(screen.queryAllByRole('button')).toEqual([]);
  });

  it('is searched by name and business', async () => {
    open({ list: listed(anna, bea) }, '#/agents?q=HARB');
    await screen.findByRole('table');
    expect(names()).toEqual(['Bea']);
    type(screen.getByRole('searchbox'), 'an');
    expect(names()).toEqual(['Anna']);
    type(screen.getByRole('searchbox'), 'zoe');
    expect(screen.getByRole('heading', { name: 'No agent matches.' })).toBeTruthy();
  });

  it('marks agents with unsaved changes', async () => {
    const session = sessionWith({ agents: { list: listed(anna, bea) }, byok: { config: async () => [] } });
    draftsOf(session).set('b', { ...fieldsOf(bea), name: 'Beatrix' });
    draftsOf(session).set('a', fieldsOf(anna));
    showPage(<AgentsPage session={session} />, '#/agents');
    await screen.findByRole('table');
    expect(screen.getByText('Unsaved changes').closest('tr')).toBe(rowOf('Bea'));
  });

  it('leads to the first run while it is empty', async () => {
    open({ list: listed() });
    await screen.findByRole('heading', { name: 'No agents yet' });
    expect(screen.getByRole('link', { name: 'Set up your first agent' }).getAttribute('href')).toBe('#/agents/start');
  });

  it('does not lead to the first run without the scope', async () => {
    open({ list: listed() }, '#/agents', ['agents:read']);
    await screen.findByRole('heading', { name: 'No agents yet' });
    expect(screen.queryByRole('link')).toBeNull();
  });

  it('copies an agent without its secrets', async () => {
    const create = vi.fn<Agents['create']>(async () => anna);
    const list = listed(anna);
    open({ list, create });
    await screen.findByRole('table');
    press('Duplicate');
    await screen.findByText(/^Anna \(copy\) is created\./);
    expect(create.mock.calls[0]?.[0]).toMatchObject({ name: 'Anna (copy)', llm_config: anna.llm_config });
    expect(create.mock.calls[0]?.[0]).not.toHaveProperty('webhook_secret');
    await waitFor(() => expect(list).toHaveBeenCalledTimes(2));
  });

  it('deletes an agent after a confirmation', async () => {
    const remove = vi.fn(async () => {});
    const list = listed(anna, bea);
    open({ list, delete: remove });
    await screen.findByRole('table');
    press('Delete', rowOf('Bea'));
    list.mockResolvedValue([anna]);
    press('Delete', dialog('Delete Bea?'));
    await screen.findByText('Bea is deleted.');
    expect(remove.mock.calls).toEqual([['b']]);
    expect(names()).toEqual(['Anna']);
  });

  it('shows an agent again that cannot be deleted', async () => {
    open({ list: listed(anna), delete: () => Promise.reject(refusal('a campaign uses the agent')) });
    await screen.findByRole('table');
    press('Delete');
    press('Delete', dialog('Delete Anna?'));
    await screen.findByText('a campaign uses the agent');
    expect(names()).toEqual(['Anna']);
  });
});

describe('a new agent', () => {
  async function openForm(create: Agents['create'], ...agents: readonly Agent[]) {
    open({ list: listed(...agents), create, get: () => new Promise(() => {}) });
    await (agents.length === 0 ? screen.findByRole('heading', { name: 'No agents yet' }) : screen.findByRole('table'));
    press('New agent');
    return within(dialog('New agent'));
  }

  it('is created from a template with the engines of a complete agent, and opened', async () => {
    const create = vi.fn<Agents['create']>(async () => bea);
    const form = await openForm(create, bea, anna);
    fireEvent.click(form.getByRole('radio', { name: /^Survey/ }));
    const name = form.getByRole('textbox', { name: 'Name' }) as HTMLInputElement;
    expect(name.placeholder).toBe('Survey');
    type(name, ' Tessa ');
    press('Create');
    await waitFor(() => expect(location.hash).toBe('#/agents/b'));
    expect(create.mock.calls[0]?.[0]).toMatchObject({
      name: 'Tessa',
      llm_config: { provider: 'openai', model: 'gpt-4o', tools: [{ type: 'endCall' }] },
      stt_config: { provider: 'deepgram' },
      tts_config: { provider: 'elevenlabs', voiceId: 'rachel' },
    });
  });

  it('has the first engines of the catalog and the name of the template by default', async () => {
    const create = vi.fn<Agents['create']>(async () => bea);
    const form = await openForm(create);
    expect(form.getAllByRole('combobox').map((each) => (each as HTMLInputElement).value)).toEqual([
      'openai',
      'deepgram',
      'cartesia',
    ]);
    press('Create');
    await waitFor(() => expect(create).toHaveBeenCalledTimes(1));
    expect(create.mock.calls[0]?.[0]).toMatchObject({ name: 'Receptionist', tts_config: { voiceId: 'sonic' } });
  });

  it('needs no recognizer and no voice with a speech-to-speech model', async () => {
    const create = vi.fn<Agents['create']>(async () => bea);
    const form = await openForm(create, anna);
    type(form.getByLabelText('Language model'), 'openai_realtime');
    fireEvent.click(form.getByRole('checkbox', { name: /^Speech-to-speech/ }));
    expect(form.queryByLabelText('Speech recognition')).toBeNull();
    press('Create');
    await waitFor(() => expect(create).toHaveBeenCalledTimes(1));
    expect(create.mock.calls[0]?.[0]).toMatchObject({ llm_config: { provider: 'openai_realtime' } });
    expect(create.mock.calls[0]?.[0]).not.toHaveProperty('stt_config');
  });

  it('shows why it is refused', async () => {
    const form = await openForm(() => Promise.reject(refusal('llm_config.provider: expected one of …')), anna);
    press('Create');
    expect(textOf(await form.findByRole('alert'))).toContain('llm_config.provider: expected one of …');
    expect(location.hash).toBe('#/agents');
  });
});
