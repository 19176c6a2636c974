// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/dom';
import type { Agent, ByokKeys, Client } from '@va/client';
import { sampleAgent } from '@va/testkit';
import { describe, expect, it, vi } from 'vitest';
import { AgentsPage } from '../../../../src/app/pages/agents/agents-page.tsx';
import { sampleProvider, sampleVoice } from '../../../support/records.ts';
import { refusal, type ScriptedClient, sessionWith } from '../../../support/session.ts';
import { showPage } from '../../../support/show.tsx';
import { cellsOf, dialog, press, rowOf, textOf, type } from '../../../support/user.ts';

type Create = Client['agents']['create'];

const catalog = [
  sampleProvider(),
  sampleProvider({ id: 'openai', name: 'OpenAI', category: 'llm' }),
  sampleProvider({ id: 'cartesia', name: 'Cartesia', category: 'tts', voices: [{ id: 'sonic', name: 'Sonic' }] }),
  sampleProvider({ id: 'xai', name: 'xAI', category: 'realtime' }),
];
const created: Agent = sampleAgent({ id: 'new', name: 'Receptionist' });

function open(client: ScriptedClient = {}, scopes: readonly string[] = ['*'], query = '') {
  const keys: ByokKeys = { deepgram_secret_id: 'stored' };
  const session = sessionWith(
    {
      byok: { config: async () => catalog, list: vi.fn(async () => keys), ...client.byok },
      voices: { list: async () => ({ voices: [sampleVoice()], xai_realtime_voices: [] }), ...client.voices },
      agents: { create: async () => created, ...client.agents },
    },
    { scopes },
  );
  showPage(<AgentsPage session={session} />, `#/agents/start${query}`);
  return session;
}

const engines = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    ['Language model', 'Speech recognition', 'Voice', 'Voice id'].map((name) => {
      const field = screen.queryByLabelText(name, { selector: 'input' }) as HTMLInputElement | null;
      return [name, field?.value ?? 'absent'];
    }),
  );
const step = (): string => textOf(document.querySelector('[aria-current="step"]') ?? document.body);
const next = (): HTMLElement => screen.getByRole('button', { name: 'Next: the template' });

describe('the first run', () => {
  it('lists the providers with the kind and whether there is a key', async () => {
    open();
    expect(cellsOf(await screen.findByRole('table', { name: 'Engines' })).map((cells) => cells.slice(0, 3))).toEqual([
      ['Deepgram', 'Speech recognition', 'Set'],
      ['OpenAI', 'Language model', 'Not set'],
      ['Cartesia', 'Voice', 'Not set'],
      ['xAI', 'Speech-to-speech', 'Not set'],
    ]);
    expect(step()).toBe('Engines');
    expect(engines()).toEqual({
      'Language model': 'openai',
      'Speech recognition': 'deepgram',
      Voice: 'cartesia',
      'Voice id': 'sonic',
    });
  });

  it('fills in a provider as the engine of its kind', async () => {
    open();
    await screen.findByRole('table');
    press('Use', rowOf('xAI'));
    expect(engines()).toMatchObject({ 'Language model': 'xai_realtime', 'Speech recognition': 'absent' });
    press('Use', rowOf('OpenAI'));
    expect(engines()).toMatchObject({ 'Language model': 'openai', 'Speech recognition': 'deepgram' });
  });

  it('chooses a voice of the service', async () => {
    open();
    await screen.findByRole('table');
    press('Thalia (en-US)');
    expect(engines()).toMatchObject({ Voice: 'deepgram', 'Voice id': 'thalia' });
  });

  it('stores a key, and loads the providers again', async () => {
    const set = vi.fn<Client['byok']['set']>();
    const list = vi.fn(async (): Promise<ByokKeys> => ({}));
    open({ byok: { set, list } });
    await screen.findByRole('table');
    press('Enter a key', rowOf('OpenAI'));
    type(within(dialog('OpenAI')).getByLabelText('API key'), 'sk-1');
    list.mockResolvedValue({ openai_secret_id: 'stored' });
    press('Store');
    await waitFor(() => expect(cellsOf(screen.getByRole('table'))[1]?.[2]).toBe('Set'));
    expect(set.mock.calls).toEqual([[{ provider: 'openai', api_key: 'sk-1' }]]);
  });

  it('needs all engines before the template', async () => {
    open();
    await screen.findByRole('table');
    type(screen.getByLabelText('Speech recognition', { selector: 'input' }), '');
    expect(next()).toHaveProperty('disabled', true);
    press('Use', rowOf('xAI'));
    expect(next()).toHaveProperty('disabled', false);
  });

  it('creates an agent, and goes on to talk to it', async () => {
    const create = vi.fn<Create>(async () => created);
    open({ agents: { create } });
    await screen.findByRole('table');
    press('Next: the template');
    expect(step()).toBe('Template');
    press('Back to the engines');
    expect(step()).toBe('Engines');
    press('Next: the template');
    expect(screen.queryByLabelText('Language model')).toBeNull();
    press('Create');
    await waitFor(() => expect(location.hash).toBe('#/agents/start?agent=new'));
    expect(create.mock.calls[0]?.[0]).toMatchObject({
      name: 'Receptionist',
      llm_config: { provider: 'openai' },
      stt_config: { provider: 'deepgram' },
      tts_config: { provider: 'cartesia', voiceId: 'sonic' },
    });
  });

  it('ends with a call to the new agent', async () => {
    open({}, ['*'], '?agent=new');
    expect(step()).toBe('Talk to it');
    expect(screen.getByRole('button', { name: 'Start a call' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Change the agent' }).getAttribute('href')).toBe('#/agents/new');
  });

  it('asks for the names of the engines without a catalog', async () => {
    open({}, ['agents:write']);
    await screen.findByText(/^The service lists no providers/);
    expect(engines()).toMatchObject({ 'Language model': '', 'Speech recognition': '' });
    expect(screen.queryByRole('group', { name: 'Voices of the service' })).toBeNull();
  });

  it('says which scope is missing', async () => {
    open({}, ['agents:read']);
    expect(screen.getByText('Your key cannot create agents (scope agents:write).')).toBeTruthy();
    await waitFor(() => expect(screen.queryByText('Loading…')).toBeNull());
    expect(document.querySelector('form')).toBeNull();
  });

  it('shows why the providers cannot be loaded', async () => {
    open({ byok: { config: () => Promise.reject(refusal('the vault is sealed')) } });
    expect(textOf(await screen.findByRole('alert'))).toContain('the vault is sealed');
  });
});
