// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import type { Agent, Client, ToolTemplate, ToolTrialAnswer } from '@va/client';
import { sampleAgent } from '@va/testkit';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { AgentsPage } from '../../../../src/app/pages/agents/agents-page.tsx';
import { keepPlainEditor } from '../../../support/plain-editor.ts';
import { sampleToolTemplate } from '../../../support/records.ts';
import { serveSchemas } from '../../../support/schemas.ts';
import { deferred, refusal, sessionWith } from '../../../support/session.ts';
import { showPage } from '../../../support/show.tsx';
import { cellsOf, dialog, press, rowOf, textOf, type } from '../../../support/user.ts';

type Agents = Client['agents'];

beforeEach(async () => {
  serveSchemas();
  await keepPlainEditor();
});

const findTable = {
  type: 'function',
  name: 'find_table',
  description: 'Finds a table.',
  parameters: { type: 'object', properties: { size: { type: 'integer' } } },
};
const withTools = (...tools: readonly object[]): Agent =>
  sampleAgent({ id: 'agent-1', name: 'Anna', llm_config: { provider: 'openai', messages: [], tools } as never });
const agent = withTools(findTable, { type: 'endCall' }, { type: 'mcp', server: { url: 'https://mcp.example.com' } });

async function open(
  methods: Partial<Agents> = {},
  {
    scopes = ['*'],
    templates = [],
    shown = agent,
  }: {
    readonly scopes?: readonly string[];
    readonly templates?: readonly ToolTemplate[];
    readonly shown?: Agent;
  } = {},
): Promise<void> {
  const client = {
    agents: { get: async () => shown, ...methods },
    toolTemplates: { list: async () => [...templates] },
  };
  showPage(<AgentsPage session={sessionWith(client, { scopes })} />, '#/agents/agent-1/tools');
  await screen.findByRole('heading', { level: 1, name: 'Anna' });
}

const table = (): HTMLElement => screen.getByRole('table', { name: 'Add a tool' });
const save = (): void => press('Save changes');
const savedTools = (update: ReturnType<typeof vi.fn<Agents['update']>>): unknown =>
  (update.mock.lastCall?.[1] as { llm_config?: { tools?: unknown } } | undefined)?.llm_config?.tools;

describe('the tools of an agent', () => {
  it('are listed with the place where they run', async () => {
    await open();
    expect(cellsOf(table())).toEqual([
      ['find_table', 'Function of your server', 'at the webhook URL', 'Try itRemove'],
      ['End the call', 'End the call', 'in the service', 'Remove'],
      ['https://mcp.example.com', 'MCP server', 'https://mcp.example.com', 'Try itRemove'],
    ]);
  });

  it('say that there are none', async () => {
    await open({}, { shown: withTools() });
    expect(screen.getByText('The agent has no tools. It can only talk.')).toBeTruthy();
  });

  it('are removed from the agent when it is saved', async () => {
    const update = vi.fn<Agents['update']>(async () => agent);
    await open({ update });
    press('Remove', rowOf('find_table'));
    save();
    await waitFor(() =>
      expect(savedTools(update)).toEqual([
        { type: 'endCall' },
        { type: 'mcp', server: { url: 'https://mcp.example.com' } },
      ]),
    );
  });

  it('cannot be changed without the scope', async () => {
    await open({}, { scopes: ['agents:read'] });
    expect(within(table()).queryByRole('button', { name: 'Remove' })).toBeNull();
    press('find_table');
    const form = within(dialog('Tool: find_table'));
    expect(form.getByRole('textbox', { name: 'Name' })).toHaveProperty('disabled', true);
    expect(form.getByRole('button', { name: 'Apply' })).toHaveProperty('disabled', true);
  });
});

describe('the editor of a tool', () => {
  it('adds a tool with the form of its type', async () => {
    const update = vi.fn<Agents['update']>(async () => agent);
    await open({ update }, { shown: withTools() });
    press('Function of your server');
    const form = within(dialog('Tool: Function of your server'));
    type(form.getByRole('textbox', { name: 'Name' }), 'book');
    fireEvent.click(form.getByRole('checkbox', { name: 'Do not wait for the result' }));
    press('Apply');
    expect(cellsOf(table()).map(([name]) => name)).toEqual(['book']);
    save();
    await waitFor(() =>
      expect(savedTools(update)).toEqual([
        {
          type: 'function',
          name: 'book',
          description: '',
          parameters: { type: 'object', properties: {} },
          async: true,
        },
      ]),
    );
  });

  it('edits a tool in its place', async () => {
    await open();
    press('find_table');
    type(within(dialog('Tool: find_table')).getByRole('textbox', { name: 'Name' }), 'search');
    press('Apply');
    expect(cellsOf(table()).map(([name]) => name)).toEqual(['search', 'End the call', 'https://mcp.example.com']);
  });

  it('changes nothing when it is cancelled', async () => {
    await open();
    press('find_table');
    type(within(dialog('Tool: find_table')).getByRole('textbox', { name: 'Name' }), 'search');
    press('Cancel');
    expect(cellsOf(table())[0]?.[0]).toBe('find_table');
    expect(screen.queryByText('Unsaved changes')).toBeNull();
  });

  it('shows the request that the server gets', async () => {
    await open();
    press('find_table');
    const request = textOf(within(dialog('Tool: find_table')).getByText(/"tool-calls"/));
    expect(request).toContain('"name": "find_table", "arguments": { "size": 1 }');
  });

  it('edits a tool as JSON too', async () => {
    await open();
    press('find_table');
    press('JSON');
    const form = within(dialog('Tool: find_table'));
    const field = form.getByRole('textbox', { name: 'Tool as JSON' });
    type(field, '[]');
    expect(form.getByRole('button', { name: 'Apply' })).toHaveProperty('disabled', true);
    type(field, JSON.stringify({ ...findTable, name: 'json_tool' }));
    press('Form');
    expect(form.getByRole('textbox', { name: 'Name' })).toHaveProperty('value', 'json_tool');
    press('Apply');
    expect(cellsOf(table())[0]?.[0]).toBe('json_tool');
  });

  it('has JSON alone for a tool without a form', async () => {
    await open({}, { shown: withTools({ type: 'of-a-later-version', name: 'x' }) });
    press('x');
    const form = within(dialog('Tool: x'));
    expect(form.queryByRole('button', { name: 'Form' })).toBeNull();
    expect(form.getByRole('textbox', { name: 'Tool as JSON' })).toBeTruthy();
  });
});

describe('the trial of a tool', () => {
  type Try = Agents['tryTool'];
  const answer = (changes: Partial<ToolTrialAnswer>): ToolTrialAnswer => ({
    ...{ success: true, ok: true, result: null, error: null, latency_ms: 130 },
    ...changes,
  });

  async function openTrial(tryTool: Try, name = 'find_table'): Promise<ReturnType<typeof within>> {
    await open({ tryTool });
    press('Try it', rowOf(name));
    return within(screen.getByRole('dialog', { name: /^Try/ }));
  }

  it('runs the saved tool with an example of its arguments', async () => {
    const tryTool = vi.fn<Try>(async () => answer({ result: { free: 3 } }));
    const form = await openTrial(tryTool);
    expect(form.getByRole('textbox', { name: 'Arguments' })).toHaveProperty('value', '{\n  "size": 1\n}');
    press('Run it');
    await form.findByText('The model would get this, after 130 ms.');
    expect(tryTool.mock.calls).toEqual([['agent-1', { name: 'find_table', arguments: { size: 1 } }]]);
    expect(form.getByText(/"free": 3/)).toBeTruthy();
  });

  it('shows the error that the model would receive', async () => {
    const form = await openTrial(async () => answer({ ok: false, error: 'The diary is down.' }));
    press('Run it');
    await form.findByText(/^The tool failed after 130 ms/);
    expect(form.getByText('The diary is down.')).toBeTruthy();
  });

  it.each(['[]', '7', 'null', '{"a"'])('does not run with the arguments %s', async (json) => {
    const form = await openTrial(async () => answer({}));
    type(form.getByRole('textbox', { name: 'Arguments' }), json);
    expect(form.getByText('Arguments are a JSON object.')).toBeTruthy();
    expect(form.getByRole('button', { name: 'Run it' })).toHaveProperty('disabled', true);
  });

  it('of an MCP server asks for the name of the tool', async () => {
    const tryTool = vi.fn<Try>(async () => answer({}));
    const form = await openTrial(tryTool, 'mcp.example.com');
    expect(form.getByRole('button', { name: 'Run it' })).toHaveProperty('disabled', true);
    type(form.getByRole('textbox', { name: 'Name of the tool, with its prefix' }), 'crm_find');
    press('Run it');
    await form.findByRole('status');
    expect(tryTool.mock.calls).toEqual([['agent-1', { name: 'crm_find', arguments: {} }]]);
  });

  it('shows a refusal', async () => {
    const form = await openTrial(() => Promise.reject(refusal('The agent has no such tool.')));
    press('Run it');
    expect(textOf(await form.findByRole('alert'))).toContain('The agent has no such tool.');
  });

  it('needs saved tools', async () => {
    await open();
    press('Remove', rowOf('End the call'));
    const button = within(rowOf('find_table')).getByRole('button', { name: 'Try it' });
    expect([button.hasAttribute('disabled'), button.title]).toEqual([true, 'Save the changes of the tools first.']);
  });
});

describe('the tool templates', () => {
  it('add a tool that the service saves at once, and keep other changes', async () => {
    const added = deferred<Agent>();
    const addTool = vi.fn<Agents['addTool']>(() => added.promise);
    await open({ addTool }, { templates: [sampleToolTemplate()] });
    press('Remove', rowOf('End the call'));
    const button = await screen.findByRole('button', { name: 'Find a table' });
    fireEvent.click(button);
    expect(button.getAttribute('aria-busy')).toBe('true');
    const tool = { type: 'function', name: 'from_template' };
    added.resolve(withTools(findTable, { type: 'endCall' }, tool));
    await screen.findByText('The tool is added and saved.');
    expect(addTool.mock.calls).toEqual([['agent-1', { tool_template_id: 'template-1' }]]);
    expect(cellsOf(table()).map(([name]) => name)).toEqual(['find_table', 'https://mcp.example.com', 'from_template']);
    expect(screen.getByText('Unsaved changes')).toBeTruthy();
  });

  it('report a refusal', async () => {
    const addTool = () => Promise.reject(refusal('a tool has the same name'));
    await open({ addTool }, { templates: [sampleToolTemplate()] });
    fireEvent.click(await screen.findByRole('button', { name: 'Find a table' }));
    await screen.findByText('a tool has the same name');
    expect(cellsOf(table())).toHaveLength(3);
  });

  it('say that there are none', async () => {
    await open();
    await screen.findByText('There are no tool templates.');
  });

  it('are not offered without the scope', async () => {
    await open({}, { scopes: ['agents:read', 'agents:write'] });
    expect(screen.queryByRole('group', { name: 'Add from a template' })).toBeNull();
  });
});
