// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import type { Agent, Client } from '@va/client';
import { sampleAgent } from '@va/testkit';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { AgentsPage } from '../../../../src/app/pages/agents/agents-page.tsx';
import { keepPlainEditor } from '../../../support/plain-editor.ts';
import { serveSchemas } from '../../../support/schemas.ts';
import { deferred, refusal, type ScriptedClient, sessionWith } from '../../../support/session.ts';
import { goTo, showPage } from '../../../support/show.tsx';
import { press, textOf, type } from '../../../support/user.ts';

type Update = Client['agents']['update'];

beforeEach(async () => {
  serveSchemas();
  await keepPlainEditor();
});

const agent: Agent = sampleAgent({
  id: 'agent-1',
  name: 'Anna',
  business_name: 'Harbour',
  llm_config: {
    provider: 'openai',
    model: 'gpt-4o',
    messages: [{ role: 'system', content: 'Greet {{name}}.' }],
    tools: [{ type: 'endCall' }],
  } as never,
});

async function open(
  update: Update = async () => agent,
  tab = 'identity',
  { scopes = ['*'], ...client }: ScriptedClient & { readonly scopes?: readonly string[] } = {},
) {
  const agents = { get: async () => agent, update, ...client.agents };
  const toolTemplates = { list: async () => [] };
  const session = sessionWith({ toolTemplates, ...client, agents }, { scopes });
  const shown = showPage(<AgentsPage session={session} />, `#/agents/agent-1/${tab}`);
  await screen.findByRole('heading', { level: 1, name: 'Anna' });
  return { session, ...shown };
}

const field = (name: string): HTMLElement => screen.getByRole('textbox', { name });
const save = (): HTMLElement => screen.getByRole('button', { name: 'Save changes' });
const tabs = (): readonly string[] =>
  within(screen.getByRole('navigation', { name: 'Parts of the agent' }))
    .getAllByRole('link')
    .map(textOf);

describe('the editor of an agent', () => {
  it('saves the changed fields only', async () => {
    const update = vi.fn<Update>(async (_id, changes) => ({ ...agent, ...(changes as object) }));
    await open(update);
    expect(save()).toHaveProperty('disabled', true);
    type(field('Business name'), 'Pier');
    expect(screen.getByText('Unsaved changes')).toBeTruthy();
    expect(tabs()[0]).toBe('Identity(changed)');
    fireEvent.click(save());
    await screen.findByText('The agent is saved.');
    expect(update.mock.calls).toEqual([['agent-1', { business_name: 'Pier' }]]);
    expect(screen.queryByText('Unsaved changes')).toBeNull();
    expect(tabs()[0]).toBe('Identity');
  });

  it('shows the values as the service has stored them', async () => {
    await open(async () => ({ ...agent, name: 'Anna Maria' }));
    type(field('Name'), '  Anna Maria ');
    fireEvent.click(save());
    await screen.findByRole('heading', { level: 1, name: 'Anna Maria' });
    expect(field('Name')).toHaveProperty('value', 'Anna Maria');
  });

  it('shows the faults of the API at their fields and tabs', async () => {
    const errors = [
      { path: 'name', code: 'required', message: 'expected a name' },
      { path: 'max_duration_seconds', code: 'invalid_field', message: 'expected at least 10' },
      { path: 'llm_config.tools.0.message', code: 'invalid_field', message: 'expected a text' },
    ];
    await open(() => Promise.reject(refusal('invalid agent', { errors })));
    type(field('Name'), '');
    fireEvent.click(save());
    expect(textOf(await screen.findByRole('alert'))).toContain('invalid agent');
    expect(screen.getByText('expected a name')).toBeTruthy();
    expect(tabs().filter((each) => each.includes('(has faults)'))).toEqual([
      'Identity(has faults)',
      'Tools(has faults)',
      'Limits(has faults)',
    ]);
    goTo('#/agents/agent-1/limits');
    expect(screen.getByText('expected at least 10')).toBeTruthy();
    goTo('#/agents/agent-1/tools');
    expect(screen.getByText('expected a text')).toBeTruthy();
  });

  it('discards the changes and the refusal', async () => {
    await open(() => Promise.reject(refusal('invalid agent')));
    type(field('Name'), 'Bea');
    fireEvent.click(save());
    await screen.findByRole('alert');
    press('Discard');
    expect(screen.queryByRole('alert')).toBeNull();
    expect(field('Name')).toHaveProperty('value', 'Anna');
    expect(save()).toHaveProperty('disabled', true);
  });

  it('cannot discard while it saves', async () => {
    const saved = deferred<Agent>();
    await open(() => saved.promise);
    type(field('Name'), 'Bea');
    fireEvent.click(save());
    expect(screen.getByRole('button', { name: 'Discard' })).toHaveProperty('disabled', true);
    saved.resolve({ ...agent, name: 'Bea' });
    await screen.findByRole('heading', { name: 'Bea' });
  });

  it('keeps unsaved changes while another page is open', async () => {
    const { session, unmount } = await open();
    type(field('Business name'), 'Pier');
    unmount();
    showPage(<AgentsPage session={session} />, '#/agents/agent-1');
    expect(await screen.findByRole('textbox', { name: 'Business name' })).toHaveProperty('value', 'Pier');
    press('Discard');
    expect(field('Business name')).toHaveProperty('value', 'Harbour');
  });

  it('asks the browser before unsaved changes are lost', async () => {
    const leave = (): boolean => dispatchEvent(new Event('beforeunload', { cancelable: true }));
    await open();
    expect(leave()).toBe(true);
    type(field('Name'), 'Bea');
    expect(leave()).toBe(false);
    press('Discard');
    expect(leave()).toBe(true);
  });

  it('is read only without the scope', async () => {
    await open(undefined, 'identity', { scopes: ['agents:read'] });
    expect(screen.getByText('Your key can read agents, not change them (scope agents:write).')).toBeTruthy();
    expect(field('Name')).toHaveProperty('disabled', true);
    expect(screen.queryByRole('button', { name: 'Save changes' })).toBeNull();
  });

  it('shows the identity for an unknown tab', async () => {
    await open(undefined, 'toString');
    expect(screen.getByRole('link', { current: 'page' }).textContent).toBe('Identity');
  });

  it('shows why the agent cannot be loaded', async () => {
    const get = () => Promise.reject(refusal('There is no such agent.'));
    showPage(<AgentsPage session={sessionWith({ agents: { get } })} />, '#/agents/gone');
    expect(textOf(await screen.findByRole('alert'))).toContain('There is no such agent.');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toContain('Agent');
  });
});

describe('the model of an agent', () => {
  it('has the prompt with its variables', async () => {
    const update = vi.fn<Update>(async () => agent);
    await open(update, 'model');
    const variables = (): string => textOf(document.querySelector('.variables') ?? document.body);
    expect(field('Prompt')).toHaveProperty('value', 'Greet {{name}}.');
    expect(variables()).toBe('Variablesname');
    type(field('Prompt'), 'Greet {{name}} of {{ city }}, {{name}}.');
    expect(variables()).toBe('Variablesnamecity');
    fireEvent.click(save());
    await waitFor(() => expect(update).toHaveBeenCalledTimes(1));
    expect(update.mock.calls[0]?.[1]).toMatchObject({
      llm_config: { messages: [{ role: 'system', content: 'Greet {{name}} of {{ city }}, {{name}}.' }] },
    });
  });

  it('says that no variables are used', async () => {
    await open(undefined, 'model');
    type(field('Prompt'), 'Greet the caller.');
    expect(screen.getByText('No variables are used.')).toBeTruthy();
  });

  it('puts a first prompt before the examples of a conversation', async () => {
    const example = { role: 'user', content: 'Hello?' };
    const llm_config = { provider: 'openai', messages: [example], tools: [] } as never;
    const update = vi.fn<Update>(async () => agent);
    await open(update, 'model', { agents: { get: async () => ({ ...agent, llm_config }) } });
    type(field('Prompt'), 'Be brief.');
    fireEvent.click(save());
    await waitFor(() =>
      expect(update.mock.calls[0]?.[1]).toMatchObject({
        llm_config: { messages: [{ role: 'system', content: 'Be brief.' }, example] },
      }),
    );
  });
});

describe('the speech of an agent', () => {
  it('has a preset for the end of a turn', async () => {
    const update = vi.fn<Update>(async () => agent);
    await open(update, 'speech');
    expect(screen.getByRole('radio', { name: /^Balanced/ })).toHaveProperty('checked', true);
    fireEvent.click(screen.getByRole('radio', { name: /^Patient/ }));
    expect(tabs()[3]).toBe('Speech(changed)');
    fireEvent.click(save());
    await waitFor(() =>
      expect(update.mock.calls[0]?.[1]).toEqual({
        speech_config: { endpointing: { preset: 'patient' } },
      }),
    );
  });
});

describe('an optional part of an agent', () => {
  it('is set up and removed', async () => {
    const update = vi.fn<Update>(async () => agent);
    await open(update, 'analysis');
    expect(screen.getByText('Not set.')).toBeTruthy();
    press('Set up');
    const summary = screen.getByRole('group', { name: 'Summary' });
    fireEvent.click(within(summary).getByRole('checkbox'));
    fireEvent.click(save());
    await waitFor(() =>
      expect(update.mock.calls[0]?.[1]).toEqual({
        analysis_plan: { summaryPlan: { enabled: true } },
      }),
    );
  });

  it('is removed by null', async () => {
    const update = vi.fn<Update>(async () => agent);
    const budgeted = { ...agent, budget: { max_cost: 2 } as never };
    await open(update, 'limits', { agents: { get: async () => budgeted } });
    expect(screen.getByRole('spinbutton', { name: 'Cost at most' })).toHaveProperty('value', '2');
    press('Remove');
    fireEvent.click(save());
    await waitFor(() => expect(update.mock.calls[0]?.[1]).toEqual({ budget: null }));
  });

  it('cannot be set up without the scope', async () => {
    await open(undefined, 'analysis', { scopes: ['agents:read'] });
    expect(screen.getByText('Not set.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Set up' })).toBeNull();
  });
});

describe('the test of the webhook of an agent', () => {
  type Test = Client['webhookDeliveries']['test'];
  const withUrl = { ...agent, webhook_url: 'https://example.com/hooks' };
  const answer = (changes: object) =>
    (async () => ({ success: true, status_code: 200, latency_ms: 48, error: null, ...changes })) as unknown as Test;

  async function openWebhooks(test: Test, shown: Agent = withUrl, scopes: readonly string[] = ['*']) {
    await open(undefined, 'webhooks', { agents: { get: async () => shown }, webhookDeliveries: { test }, scopes });
  }

  it.each([
    [{}, 'The server answered 200 after 48 ms.'],
    [{ status_code: 500, error: 'status 500' }, 'The server did not accept the event: status 500'],
    [{ status_code: null, error: 'timeout' }, 'The server did not accept the event: timeout'],
  ])('shows the answer %j', async (changes, words) => {
    await openWebhooks(answer(changes));
    press('Send test event');
    await screen.findByText(words);
  });

  it('needs a saved URL', async () => {
    await openWebhooks(answer({}), agent);
    expect(screen.getByRole('button', { name: 'Send test event' })).toHaveProperty('disabled', true);
    expect(screen.getByText('Enter a webhook URL and save it first.')).toBeTruthy();
    type(field('Webhook URL'), 'https://example.com');
    expect(screen.getByText('Save the webhook first: the test uses the saved one.')).toBeTruthy();
  });

  it('reports a refusal', async () => {
    await openWebhooks(() => Promise.reject(refusal('too many tests')));
    press('Send test event');
    await screen.findByText('too many tests');
    expect(screen.getByRole('button', { name: 'Send test event' })).toHaveProperty('disabled', false);
  });

  it('is not offered without the scope', async () => {
    await openWebhooks(answer({}), withUrl, ['agents:read', 'agents:write']);
    expect(screen.queryByRole('button', { name: 'Send test event' })).toBeNull();
  });
});

describe('the metadata of an agent', () => {
  it('is cleared with its text', async () => {
    const update = vi.fn<Update>(async () => ({ ...agent, metadata: null }));
    await open(update, 'identity', { agents: { get: async () => ({ ...agent, metadata: { a: 1 } }) } });
    type(field('Metadata'), '');
    expect(tabs()[0]).toBe('Identity(changed)');
    fireEvent.click(save());
    await screen.findByText('The agent is saved.');
    expect(update.mock.calls).toEqual([['agent-1', { metadata: null }]]);
    expect(tabs()[0]).toBe('Identity');
  });

  it('is unchanged when a text that is not JSON is removed', async () => {
    await open();
    type(field('Metadata'), '{');
    type(field('Metadata'), '');
    expect(tabs()[0]).toBe('Identity');
    expect(save()).toHaveProperty('disabled', true);
  });

  it('cannot be saved while it is not JSON', async () => {
    await open();
    type(field('Metadata'), '{"a": ');
    expect(screen.getByText(/^This is no JSON/)).toBeTruthy();
    expect(save()).toHaveProperty('disabled', true);
  });
});
