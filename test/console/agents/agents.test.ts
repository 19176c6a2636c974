import { createServer, type Server } from 'node:http';
import { json } from 'node:stream/consumers';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { spokenAgent } from '../../support/spoken-agent.ts';
import { hasChromium, launchChromium } from '../../web/chromium.ts';
import { type ConsoleService, startConsoleService } from '../support/console-service.ts';
import { expectClean, goTo, openConsole } from '../support/open-console.ts';

describe.skipIf(!hasChromium())('agents in the console', () => {
  let service: ConsoleService;
  let browser: Browser;
  beforeAll(async () => {
    service = await startConsoleService();
    browser = await launchChromium({ microphone: null });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const agent = (id: string) => service.va.operations.agents.get(service.orgId, id);
  const create = (name: string, changes = {}) =>
    service.va.operations.agents.create(service.orgId, { name, ...spokenAgent().config, ...changes });
  const open = async (hash: string, scopes?: readonly string[]): Promise<Page> => {
    return await openConsole(browser, service.url, await service.key(scopes), hash);
  };

  it('shows what to do when there is no agent, and why a new one is refused', async () => {
    const page = await open('#/agents');
    await page.getByRole('heading', { name: 'No agents yet' }).waitFor();
    await page.getByRole('button', { name: 'New agent' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Language model').fill('unheard-of');
    await dialog.getByLabel('Speech recognition').fill('pocketsphinx');
    await dialog.getByLabel('Voice', { exact: true }).fill('flite');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByRole('alert').getByText('llm_config.provider').waitFor();
    expect(await service.va.operations.agents.list(service.orgId)).toEqual([]);
  });

  it('creates an agent from a template with the engines of the last one, and shows its editor', async () => {
    await create('Base');
    const page = await open('#/agents');
    await page.getByRole('button', { name: 'New agent' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Appointment booking').click();
    await dialog.getByLabel('Name', { exact: true }).fill('Tessa');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Tessa' }).waitFor();
    const created = (await service.va.operations.agents.list(service.orgId)).find(({ name }) => name === 'Tessa');
    expect(created).toMatchObject({
      stt_config: { provider: 'pocketsphinx' },
      llm_config: { provider: 'scripted', tools: [{ type: 'endCall' }] },
      tts_config: { provider: 'flite', voiceId: 'slt' },
    });
    expect(created?.llm_config?.messages[0]?.content).toContain('You book appointments');
    expectClean(page);
  });

  it('searches, duplicates and deletes agents', async () => {
    const { id } = await create('Zoe');
    const page = await open('#/agents?q=zo');
    const rows = page.getByRole('table').locator('tbody tr');
    await rows.getByRole('link', { name: 'Zoe' }).waitFor();
    expect(await rows.count()).toBe(1);
    await rows.getByRole('button', { name: 'Duplicate' }).click();
    const copy = page.getByRole('row').filter({ hasText: 'Zoe (copy)' });
    await copy.waitFor();
    await copy.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog', { name: 'Delete Zoe (copy)?' }).getByRole('button', { name: 'Cancel' }).click();
    await copy.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await copy.waitFor({ state: 'detached' });
    expect((await agent(id)).name).toBe('Zoe');
    expectClean(page);
  });

  it('saves the changed fields, and keeps unsaved changes while other pages are open', async () => {
    const { id } = await create('Anna');
    const page = await open(`#/agents/${id}`);
    await page.getByLabel('Business name').fill('Harbor Restaurant');
    await page.getByText('Unsaved changes').waitFor();
    await page.getByRole('link', { name: 'All agents' }).click();
    await page.getByRole('row').filter({ hasText: 'Anna' }).getByText('Unsaved changes').waitFor();
    await page.getByRole('link', { name: 'Anna' }).click();
    expect(await page.getByLabel('Business name').inputValue()).toBe('Harbor Restaurant');
    await page.getByRole('link', { name: 'Limits' }).click();
    expect(new URL(page.url()).hash).toBe(`#/agents/${id}/limits`);
    await page.getByLabel('Longest call (seconds)').fill('120');
    // Saving keeps what another user changed in another field.
    await service.va.operations.agents.update(service.orgId, id, { notification_email: 'team@example.com' });
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('The agent is saved.').waitFor();
    expect(await agent(id)).toMatchObject({
      business_name: 'Harbor Restaurant',
      max_duration_seconds: 120,
      notification_email: 'team@example.com',
    });
    expectClean(page);
  });

  it('shows the faults of the API at their fields, and discards changes', async () => {
    const { id } = await create('Bea');
    const page = await open(`#/agents/${id}/limits`);
    await page.getByLabel('Longest call (seconds)').fill('5');
    await page.getByRole('button', { name: 'Save changes' }).click();
    const field = page.locator('.field').filter({ hasText: 'Longest call' });
    await field.locator('.fault').waitFor();
    expect(await page.getByLabel('Longest call (seconds)').getAttribute('aria-invalid')).toBe('true');
    await page.getByRole('button', { name: 'Discard' }).click();
    expect(await page.getByLabel('Longest call (seconds)').inputValue()).toBe('600');
    expect(await field.locator('.fault').count()).toBe(0);
  });

  it('edits the prompt with its variables listed', async () => {
    const { id } = await create('Cleo');
    const page = await open(`#/agents/${id}/model`);
    await page.locator('.cm-content[aria-label="Prompt"]').click();
    await page.keyboard.type('Greet {{name}} from {{city}}.');
    await page.locator('.cm-variable').filter({ hasText: '{{city}}' }).waitFor();
    await page.locator('.variables code').filter({ hasText: 'name' }).waitFor();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('The agent is saved.').waitFor();
    const { llm_config: llm } = await agent(id);
    expect(llm?.messages).toEqual([{ role: 'system', content: 'Greet {{name}} from {{city}}.' }]);
    expect(llm).toMatchObject({ provider: 'scripted', rules: [{ when: '.' }] });
    expectClean(page);
  });

  it('adds a function tool by its form, changes it as JSON, and shows the request that its server gets', async () => {
    const { id } = await create('Dora');
    const page = await open(`#/agents/${id}/tools`);
    await page.getByRole('button', { name: 'Function of your server' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('find_table');
    await dialog.getByRole('button', { name: 'JSON' }).click();
    await dialog.locator('.cm-content').fill(
      JSON.stringify({
        type: 'function',
        name: 'find_table',
        parameters: { type: 'object', properties: { people: { type: 'integer' } } },
      }),
    );
    await dialog.getByText('The request that the server gets').click();
    await dialog.locator('pre').filter({ hasText: '"people": 1' }).waitFor();
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('button', { name: 'find_table' }).waitFor();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('The agent is saved.').waitFor();
    expect((await agent(id)).llm_config?.tools).toMatchObject([{ type: 'function', name: 'find_table' }]);
    expectClean(page);
  });

  it('runs a saved tool with entered arguments, and shows the result that the model would receive', async () => {
    const requests: unknown[] = [];
    const server = createServer((request, response) => {
      void json(request).then((body) => {
        requests.push(body);
        response.setHeader('content-type', 'application/json').end('{"result":{"table":"<b>4</b>"}}');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/tool`;
    const parameters = { type: 'object' as const, properties: { people: { type: 'integer' } } };
    const { id } = await service.va.operations.agents.create(service.orgId, {
      name: 'Flora',
      llm_config: {
        ...spokenAgent().config.llm_config,
        provider: 'scripted',
        tools: [{ type: 'function', name: 'find_table', parameters, server: { url } }],
      },
    });
    const page = await open(`#/agents/${id}/tools`);
    await page.getByRole('button', { name: 'Try it' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.locator('.cm-content').getByText('"people": 1').waitFor();
    await dialog.locator('.cm-content').fill('{"people": 2');
    await dialog.getByText('Arguments are a JSON object.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Run it' }).isDisabled()).toBe(true);
    await dialog.locator('.cm-content').fill('{"people": 2}');
    await dialog.getByRole('button', { name: 'Run it' }).click();
    await dialog.getByText('The model would get this').waitFor();
    await dialog.locator('pre').getByText('"table": "<b>4</b>"').waitFor();
    expect(requests).toMatchObject([{ message: { toolCallList: [{ function: { arguments: { people: 2 } } }] } }]);
    server.close();
    await dialog.getByRole('button', { name: 'Run it' }).click();
    await dialog.getByText('The tool failed after').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    expectClean(page);
  });

  it('adds a tool from a template without losing unsaved changes', async () => {
    const { id } = await create('Eva');
    await service.va.operations.toolTemplates.create(service.orgId, {
      name: 'Goodbye',
      tool_type: 'endCall',
      tool_config: { message: 'Goodbye.' },
    });
    const page = await open(`#/agents/${id}`);
    await page.getByLabel('Business name').fill('Harbor');
    await page.getByRole('link', { name: 'Tools' }).click();
    await page.getByRole('button', { name: 'Goodbye' }).click();
    await page.getByText('The tool is added and saved.').waitFor();
    const stored = await agent(id);
    expect(stored).toMatchObject({ business_name: null, llm_config: { tools: [{ type: 'endCall' }] } });
    await page.getByRole('link', { name: 'Identity' }).click();
    expect(await page.getByLabel('Business name').inputValue()).toBe('Harbor');
  });

  it('sets a preset of turn-taking', async () => {
    const { id } = await create('Fay');
    const page = await open(`#/agents/${id}/speech`);
    await page.getByText('Patient', { exact: true }).click();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('The agent is saved.').waitFor();
    expect((await agent(id)).speech_config?.endpointing).toMatchObject({ preset: 'patient' });
  });

  it('sends a test event to the saved webhook, and shows the response', async () => {
    const received: string[] = [];
    const customer: Server = createServer((request, response) => {
      received.push(String(request.headers['webhook-id']));
      request.resume();
      response.end();
    });
    await new Promise<void>((resolve) => customer.listen(0, '127.0.0.1', resolve));
    const address = customer.address();
    const port = typeof address === 'object' ? address?.port : 0;
    try {
      const { id } = await create('Gia');
      const page = await open(`#/agents/${id}/webhooks`);
      const send = page.getByRole('button', { name: 'Send test event' });
      expect(await send.isDisabled()).toBe(true);
      await page.getByLabel('Webhook URL').fill(`http://127.0.0.1:${port}/hook`);
      await page.getByRole('button', { name: 'Save changes' }).click();
      await page.getByText('The agent is saved.').waitFor();
      await send.click();
      await page.getByText('The server answered 200').waitFor();
      expect(received).toHaveLength(1);
    } finally {
      customer.closeAllConnections();
      customer.close();
    }
  });

  it('shows agents to a key that only reads, without any action, and nothing of other organizations', async () => {
    const { id } = await create('Hana');
    const other = await service.otherOrganization();
    await service.va.operations.agents.create(other, { name: 'Foreign' });
    const page = await open('#/agents', ['agents:read']);
    await page.getByRole('link', { name: 'Hana' }).waitFor();
    expect(await page.getByRole('button', { name: /New agent|Duplicate|Delete/ }).count()).toBe(0);
    expect(await page.getByText('Foreign').count()).toBe(0);
    await page.getByRole('link', { name: 'Hana' }).click();
    await page.getByText('not change them').waitFor();
    expect(await page.getByLabel('Business name').isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Save changes' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Start a call' }).isDisabled()).toBe(true);
    const strangers = await openConsole(browser, service.url, await service.key(['*'], other), `#/agents/${id}`);
    await strangers.getByRole('alert').waitFor();
    expectClean(page);
  });

  it('shows markup in names as text', async () => {
    const name = '<img src=x onerror="window.isRun = true"><b>bold</b>';
    const { id } = await create(name);
    const page = await open('#/agents?q=onerror');
    await page.getByRole('link', { name }).waitFor();
    await goTo(page, `#/agents/${id}`);
    await page.getByRole('heading', { name }).waitFor();
    expect(await page.evaluate(`'isRun' in window`)).toBe(false);
    expectClean(page);
  });

  it('explains that the deployment takes no web calls', async () => {
    const { id } = await create('Ines');
    const page = await open(`#/agents/${id}`);
    await page.getByRole('button', { name: 'Start a call' }).click();
    await page.getByText('takes no web calls').waitFor();
    expect(await page.getByRole('button', { name: 'Start a call' }).isDisabled()).toBe(true);
  });
});
