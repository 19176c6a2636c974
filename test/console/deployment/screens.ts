import type { Page } from 'playwright-core';

/** Records that have a page of their own. */
export interface RecordIds {
  readonly liveCall: string;
  readonly call: string;
  readonly agent: string;
  /** An agent without engines. */
  readonly incompleteAgent: string;
  readonly campaign: string;
  readonly delivery: string;
}

/** A view of the console, or a state of one. */
export interface Screen {
  readonly name: string;
  /** Address within the console. */
  readonly hash: string;
  /** Resolves once the view is complete. */
  readonly ready: (page: Page) => Promise<unknown>;
  /** True if the view has an open dialog, which Esc closes. */
  readonly hasDialog?: true;
}

/** Returns all views of a signed-in visitor, and the dialogs and tabs that they have. */
export function screensOf(ids: RecordIds): readonly Screen[] {
  const seen = (text: string) => (page: Page) => page.getByText(text).first().waitFor();
  const drawn = (selector: string) => (page: Page) => page.locator(selector).first().waitFor();
  const opened =
    (button: string, within = '#content') =>
    async (page: Page) => {
      await page.locator(within).getByRole('button', { name: button, exact: true }).first().click();
      await page.getByRole('dialog').waitFor();
    };
  const agentTab = (tab: string, ready: Screen['ready']): Screen => ({
    ...{ name: `agent-${tab}`, hash: `#/agents/${ids.agent}/${tab}`, ready },
  });
  const plain = (name: string, hash: string, ready: Screen['ready']): Screen => ({ name, hash, ready });
  const dialog = (name: string, hash: string, ready: Screen['ready']): Screen => ({
    ...{ name, hash, ready, hasDialog: true },
  });
  return [
    plain('live', '#/live', async (page) => page.locator('.live-calls tbody tr').nth(2).waitFor()),
    plain('live-call', `#/live/${ids.liveCall}`, drawn('.transcript .unheard')),
    plain('calls', '#/calls', seen('Anna, reception')),
    plain('calls-nothing-found', '#/calls?q=zeppelin', seen('No call matches.')),
    plain('call', `#/calls/${ids.call}`, async (page) => {
      await page.locator('.waves canvas, .waves > div').first().waitFor();
      await page.getByText('Mr Jansen moved').waitFor();
      await page.locator('.timeline .unheard').waitFor();
    }),
    dialog('call-erase', `#/calls/${ids.call}`, opened('Erase')),
    plain('agents', '#/agents', seen('Ben, appointments')),
    dialog('agent-new', '#/agents', opened('New agent')),
    agentTab('identity', drawn('.cm-editor')),
    agentTab('model', drawn('.cm-editor')),
    agentTab('tools', seen('find_appointment')),
    agentTab('speech', seen('How soon the agent answers')),
    agentTab('voice', seen('Voices')),
    agentTab('analysis', seen('Analysis')),
    agentTab('webhooks', seen('Send test event')),
    agentTab('limits', seen('Longest call')),
    plain('agent-incomplete', `#/agents/${ids.incompleteAgent}/speech`, seen('Set up')),
    dialog('agent-tool', `#/agents/${ids.agent}/tools`, async (page) => {
      await page.getByRole('button', { name: 'Function of your server' }).click();
      await page.getByRole('dialog').locator('.cm-editor').first().waitFor();
    }),
    plain('first-agent', '#/agents/start', seen('Next: the template')),
    plain('campaigns', '#/campaigns', seen('Checkup recall, March')),
    dialog('campaign-new', '#/campaigns', opened('New campaign')),
    plain('campaign', `#/campaigns/${ids.campaign}`, seen('A. Bakker')),
    dialog('campaign-import', `#/campaigns/${ids.campaign}`, opened('Import CSV')),
    plain('usage', '#/usage?from=2026-02-11&to=2026-03-12', drawn('.chart canvas')),
    plain('numbers', '#/numbers/numbers', seen('+31201234501')),
    dialog('number-new', '#/numbers/numbers', opened('Register a number')),
    plain('trunks', '#/numbers/trunks', seen('Amsterdam')),
    dialog('trunk-new', '#/numbers/trunks', opened('SIP provider')),
    plain('test-call', '#/numbers/test', seen('Call me')),
    plain('webhooks', '#/webhooks', seen('Failed 503')),
    plain('webhook', `#/webhooks/${ids.delivery}`, seen('Attempts')),
    plain('keys', '#/keys/api', seen('Booking server')),
    dialog('key-new', '#/keys/api', opened('New API key')),
    plain('publishable-keys', '#/keys/publishable', seen('Website')),
    dialog('publishable-key-new', '#/keys/publishable', opened('New publishable key')),
    plain('settings', '#/settings/organization', seen('Signed in as')),
    plain('provider-keys', '#/settings/providers', seen('OpenAI')),
    dialog('provider-key', '#/settings/providers', opened('Enter a key')),
    plain('mail-domain', '#/settings/mail', seen('No mail domain')),
    plain('do-not-call', '#/settings/do-not-call', seen('+31612345670')),
    plain('health', '#/health', seen('storage')),
    dialog('help', '#/calls', async (page) => {
      // Waits for a cell of the table, because the filter shows the name too.
      await page.getByRole('cell', { name: 'Anna, reception' }).first().waitFor();
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
    }),
    dialog('confirm', '#/keys/api', opened('Revoke')),
    plain('unknown-page', '#/nowhere', seen('There is no such page.')),
  ];
}
