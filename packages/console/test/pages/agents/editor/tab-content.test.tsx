// @vitest-environment happy-dom
import { fireEvent, screen, within } from '@testing-library/dom';
import { sampleAgent } from '@va/testkit';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { AgentsPage } from '../../../../src/app/pages/agents/agents-page.tsx';
import { tabIds } from '../../../../src/app/pages/agents/editor/tabs.ts';
import { keepPlainEditor } from '../../../support/plain-editor.ts';
import { serveSchemas } from '../../../support/schemas.ts';
import { sessionWith } from '../../../support/session.ts';
import { goTo, showPage } from '../../../support/show.tsx';
import { press, textOf, type } from '../../../support/user.ts';

beforeEach(async () => {
  serveSchemas();
  await keepPlainEditor();
});

const agent = sampleAgent({
  id: 'agent-1',
  name: 'Anna',
  llm_config: { provider: 'openai', model: 'gpt-4o', messages: [], tools: [] } as never,
  stt_config: { provider: 'deepgram', language: 'nl-NL' } as never,
  tts_config: { provider: 'deepgram', voiceId: 'thalia' } as never,
  analysis_plan: { summaryPlan: { enabled: true } } as never,
  budget: { max_cost: 2 } as never,
});

async function open(tab: string): Promise<void> {
  const session = sessionWith({
    agents: { get: async () => agent, update: vi.fn(async () => agent) },
    toolTemplates: { list: async () => [] },
    voices: { list: async () => ({ voices: [], xai_realtime_voices: [] }) },
  });
  showPage(<AgentsPage session={session} />, `#/agents/agent-1/${tab}`);
  await screen.findByRole('heading', { level: 1, name: 'Anna' });
}

/** The labels of the fields of the tab, in order, without the bounds beside them. */
const labels = (): readonly string[] =>
  [...document.querySelectorAll('.editor .form :is(.field-label, legend)')].map((element) =>
    textOf(element.querySelector('label') ?? element),
  );

describe('a tab of the agent editor', () => {
  it.each([
    ['identity', ['Name', 'Business name', 'First message', 'Active', 'Metadata']],
    ['model', ['Provider', 'Model', 'Temperature', 'Prompt', 'All messages']],
    ['tools', ['Add a tool', 'Add from a template']],
    [
      'speech',
      [
        ...['Recognizer', 'Language', 'How soon the agent answers', 'End of the caller’s turn', 'Preset'],
        'After a complete sentence (ms)',
      ],
    ],
    ['voice', ['Synthesizer', 'Voice']],
    ['analysis', ['Summary', 'Enabled']],
    ['webhooks', ['Webhook URL', 'Secret']],
    ['limits', ['Longest call (seconds)', 'End after silence (seconds)', 'Record calls', 'Cost at most']],
  ])('%s has the fields %j', async (tab, expected) => {
    await open(tab);
    await screen.findAllByText(expected.at(-1) ?? '');
    expect(labels()).toEqual(expected);
  });

  it('has an address of its own', async () => {
    await open('identity');
    const links = within(screen.getByRole('navigation', { name: 'Parts of the agent' })).getAllByRole('link');
    expect(links.map((link) => link.getAttribute('href'))).toEqual(tabIds.map((id) => `#/agents/agent-1/${id}`));
  });

  it('keeps the unsaved changes of the others', async () => {
    await open('identity');
    type(screen.getByRole('textbox', { name: 'Business name' }), 'Pier');
    goTo('#/agents/agent-1/limits');
    type(screen.getByRole('spinbutton', { name: 'Cost at most' }), '3');
    goTo('#/agents/agent-1/identity');
    expect(screen.getByRole('textbox', { name: 'Business name' })).toHaveProperty('value', 'Pier');
    const changed = [...document.querySelectorAll('nav.tabs a')].filter(
      (link) => link.querySelector('.changed') !== null,
    );
    expect(changed.map((link) => link.firstChild?.textContent)).toEqual(['Identity', 'Limits']);
  });

  it('is not marked once its change is taken back', async () => {
    await open('identity');
    const field = screen.getByRole('checkbox', { name: 'Active' });
    fireEvent.click(field);
    expect(document.querySelectorAll('nav.tabs .changed')).toHaveLength(1);
    fireEvent.click(field);
    expect(document.querySelectorAll('nav.tabs .changed')).toHaveLength(0);
    expect(screen.queryByText('Unsaved changes')).toBeNull();
  });

  it('sets a part of the agent up, and removes it', async () => {
    await open('voice');
    expect(screen.getByRole('textbox', { name: 'Synthesizer' })).toBeTruthy();
    press('Remove');
    expect(screen.queryByRole('textbox', { name: 'Synthesizer' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Listen to this voice' })).toBeNull();
    press('Set up');
    expect(screen.getByRole('textbox', { name: 'Synthesizer' })).toHaveProperty('value', '');
    expect(screen.queryByRole('button', { name: 'Listen to this voice' })).toBeNull();
    type(screen.getByRole('textbox', { name: 'Synthesizer' }), 'elevenlabs');
    expect(screen.getByRole('button', { name: 'Listen to this voice' })).toBeTruthy();
  });
});
