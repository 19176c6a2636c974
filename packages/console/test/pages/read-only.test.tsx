// @vitest-environment happy-dom
import { screen, within } from '@testing-library/dom';
import type { CallEvent, CampaignProgress, LiveEvent } from '@va/client';
import { sampleAgent, sampleCall } from '@va/testkit';
import type { JSX } from 'preact';
import { beforeEach, describe, expect, it } from 'vitest';
import { AgentsPage } from '../../src/app/pages/agents/agents-page.tsx';
import { CallsPage } from '../../src/app/pages/calls/calls-page.tsx';
import { CampaignsPage } from '../../src/app/pages/campaigns/campaigns-page.tsx';
import { KeysPage } from '../../src/app/pages/keys/keys-page.tsx';
import { LivePage } from '../../src/app/pages/live/live-page.tsx';
import { NumbersPage } from '../../src/app/pages/numbers/numbers-page.tsx';
import { SettingsPage } from '../../src/app/pages/settings/settings-page.tsx';
import { WebhooksPage } from '../../src/app/pages/webhooks/webhooks-page.tsx';
import type { ConsoleSession } from '../../src/app/session/session.ts';
import { keepPlainEditor } from '../support/plain-editor.ts';
import {
  sampleApiKey,
  sampleCampaign,
  sampleDelivery,
  sampleLead,
  sampleMailDomain,
  sampleNumber,
  samplePublishableKey,
  sampleToolTemplate,
  sampleTrunk,
  sampleVoice,
} from '../support/records.ts';
import { serveSchemas } from '../support/schemas.ts';
import { ScriptedStream } from '../support/scripted-stream.ts';
import { type ScriptedClient, sessionWith } from '../support/session.ts';
import { showPage } from '../support/show.tsx';
import { textOf } from '../support/user.ts';

const pagination = { total: 1, limit: 100, offset: 0 };
const agent = sampleAgent({
  id: 'agent-1',
  name: 'Anna',
  webhook_url: 'https://example.com/hooks',
  llm_config: { provider: 'openai', messages: [], tools: [{ type: 'function', name: 'find_table' }] } as never,
  tts_config: { provider: 'deepgram', voiceId: 'thalia' } as never,
});
const call = sampleCall({ id: 'call-1', status: 'ended', end_reason: 'user_hangup' });
const entry = { id: 'n1', phone_number: '+31201234567', reason: null, created_at: '2026-03-01T12:00:00.000Z' };

/** One record of each kind, to be read. Nothing can be written. */
const client: ScriptedClient = {
  agents: { list: async () => [agent], get: async () => agent },
  apiKeys: { list: async () => [sampleApiKey()] },
  publishableKeys: { list: async () => [samplePublishableKey()] },
  numbers: { list: async () => [sampleNumber()] },
  trunks: { list: async () => [sampleTrunk()], healthOfAll: async () => [] },
  webhookDeliveries: { list: async () => ({ deliveries: [sampleDelivery()], pagination }) },
  campaigns: {
    list: async () => [sampleCampaign()],
    get: async () => sampleCampaign(),
    events: (_id, options) => new ScriptedStream<CampaignProgress>().open(options),
  },
  leads: { list: async () => ({ leads: [sampleLead()], pagination }) },
  calls: {
    get: async () => call,
    list: async () => ({ calls: [call], pagination }),
    events: (_id, options) => new ScriptedStream<CallEvent>().open(options),
    watch: (options) => new ScriptedStream<CallEvent>().open(options),
    live: (_query, options) => new ScriptedStream<LiveEvent>().open(options),
  },
  domains: { get: async () => sampleMailDomain() },
  doNotCall: { list: async () => ({ do_not_call: [entry], pagination }) },
  byok: { config: async () => [], list: async () => ({}) },
  toolTemplates: { list: async () => [sampleToolTemplate()] },
  voices: { list: async () => ({ voices: [sampleVoice()], xai_realtime_voices: [] }) },
};

type View = (props: { readonly session: ConsoleSession }) => JSX.Element;

beforeEach(async () => {
  serveSchemas();
  await keepPlainEditor();
});

/** Returns the names of the buttons of a page that can be pressed. */
async function buttonsOf(View: View, fragment: string, scopes: readonly string[], loaded: string): Promise<string[]> {
  showPage(<View session={sessionWith(client, { scopes })} />, fragment);
  await screen.findAllByText(loaded);
  const content = within(document.getElementById('content') ?? document.body);
  return content
    .queryAllByRole('button')
    .concat(content.queryAllByRole('switch'))
    .filter((button) => !(button as HTMLButtonElement).disabled)
    .map(textOf);
}

describe('a session that may only read', () => {
  it.each<[string, View, string, readonly string[], string, readonly string[]]>([
    ['the API keys', KeysPage, '#/keys', ['api-keys:read'], 'Server', []],
    ['the publishable keys', KeysPage, '#/keys/publishable', ['api-keys:read'], 'Shop', ['Copy']],
    ['the numbers', NumbersPage, '#/numbers', ['numbers:read'], 'Front desk', []],
    ['the trunks', NumbersPage, '#/numbers/trunks', ['trunks:read'], 'Office', []],
    ['the deliveries', WebhooksPage, '#/webhooks', ['webhooks:read'], 'end-of-call-report', []],
    ['a delivery', WebhooksPage, '#/webhooks/delivery-1', ['webhooks:read'], 'Attempts', ['Copy']],
    ['the campaigns', CampaignsPage, '#/campaigns', ['campaigns:read'], 'Spring', []],
    ['a campaign', CampaignsPage, '#/campaigns/campaign-1', ['campaigns:read'], 'Anna', ['Export CSV']],
    ['the calls', CallsPage, '#/calls', ['calls:read'], '1 calls', []],
    ['a call', CallsPage, '#/calls/call-1', ['calls:read'], 'Transcript', []],
    ['a live call', LivePage, '#/live/call-1', ['calls:read'], 'Nobody has spoken yet.', []],
    ['the agents', AgentsPage, '#/agents', ['agents:read'], 'Anna', []],
    ['an agent', AgentsPage, '#/agents/agent-1', ['agents:read'], 'Anna', []],
    ['the tools of an agent', AgentsPage, '#/agents/agent-1/tools', ['agents:read'], 'find_table', ['find_table']],
    ['the voice of an agent', AgentsPage, '#/agents/agent-1/voice', ['agents:read', 'voices:read'], 'Thalia', []],
    ['the webhook of an agent', AgentsPage, '#/agents/agent-1/webhooks', ['agents:read'], 'Webhook URL', []],
    ['the limits of an agent', AgentsPage, '#/agents/agent-1/limits', ['agents:read'], 'Record calls', []],
    ['the mail domain', SettingsPage, '#/settings/mail', ['domains:read'], 'mail.example.com', ['Copy']],
    ['the do-not-call list', SettingsPage, '#/settings/do-not-call', ['campaigns:read'], '+31201234567', []],
  ])('has at %s the buttons that change nothing', async (_, View, fragment, scopes, loaded, expected) => {
    expect(await buttonsOf(View, fragment, scopes, loaded)).toEqual(expected);
  });

  it.each(['identity', 'model', 'speech', 'webhooks', 'limits'])(
    'cannot edit a field of the tab %s of an agent',
    async (tab) => {
      await buttonsOf(AgentsPage, `#/agents/agent-1/${tab}`, ['agents:read'], 'Anna');
      const fields = document.querySelectorAll<HTMLInputElement>('.editor .form :is(input, textarea, select)');
      const enabled = [...fields].filter(
        (field) => !field.matches(':disabled') && field.closest('fieldset:disabled') === null,
      );
      expect(fields.length).toBeGreaterThan(0);
      expect(enabled.map(({ id }) => id)).toEqual([]);
    },
  );
});

describe('a session that may also write', () => {
  it.each<[string, View, string, readonly string[], string, readonly string[]]>([
    ['the API keys', KeysPage, '#/keys', ['api-keys:read', 'api-keys:write'], 'Server', ['New API key', 'Revoke']],
    [
      'the numbers',
      NumbersPage,
      '#/numbers',
      ['numbers:read', 'numbers:write'],
      'Front desk',
      ['Register a number', 'Edit', 'Delete', 'Active'],
    ],
    [
      'the trunks',
      NumbersPage,
      '#/numbers/trunks',
      ['trunks:read', 'trunks:write'],
      'Office',
      ['SIP provider', 'Twilio', 'Telnyx', 'Plivo', 'Vonage', 'Edit', 'Delete', 'Active'],
    ],
    [
      'the deliveries',
      WebhooksPage,
      '#/webhooks',
      ['webhooks:read', 'webhooks:write'],
      'end-of-call-report',
      ['Redeliver'],
    ],
    ['the campaigns', CampaignsPage, '#/campaigns', ['campaigns:read', 'campaigns:write'], 'Spring', ['New campaign']],
    ['a call', CallsPage, '#/calls/call-1', ['calls:read', 'calls:write'], 'Transcript', ['Erase']],
    [
      'the agents',
      AgentsPage,
      '#/agents',
      ['agents:read', 'agents:write'],
      'Anna',
      ['New agent', 'Duplicate', 'Delete'],
    ],
    [
      'the mail domain',
      SettingsPage,
      '#/settings/mail',
      ['domains:read', 'domains:write'],
      'mail.example.com',
      ['Check the records', 'Remove the domain', 'Copy'],
    ],
    [
      'the do-not-call list',
      SettingsPage,
      '#/settings/do-not-call',
      ['campaigns:read', 'campaigns:write'],
      '+31201234567',
      ['Remove'],
    ],
  ])('has at %s all buttons', async (_, View, fragment, scopes, loaded, expected) => {
    expect(await buttonsOf(View, fragment, scopes, loaded)).toEqual(expected);
  });
});
