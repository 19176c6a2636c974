// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/dom';
import type { Agent } from '@va/client';
import { sampleAgent } from '@va/testkit';
import { describe, expect, it, vi } from 'vitest';
import { EngineFields, type Engines, likelyEngines } from '../../../src/app/pages/agents/create/engines.tsx';
import { sampleProvider } from '../../support/records.ts';
import { show } from '../../support/show.tsx';
import { type } from '../../support/user.ts';

const catalog = [
  sampleProvider({ id: 'openai', name: 'OpenAI', category: 'llm' }),
  sampleProvider({ id: 'mistral', name: 'Mistral', category: 'llm' }),
  sampleProvider(),
  sampleProvider({ id: 'flite', name: 'Flite', category: 'tts' }),
  sampleProvider({ id: 'cartesia', name: 'Cartesia', category: 'tts', voices: [{ id: 'sonic', name: 'Sonic' }] }),
];
const complete: Agent = sampleAgent({
  llm_config: { provider: 'local', messages: [], tools: [] } as never,
  tts_config: { provider: 'elevenlabs', voiceId: 'rachel' } as never,
});

describe('the likely engines of a new agent', () => {
  it.each<[string, readonly Agent[], typeof catalog, Partial<Engines>]>([
    ['are unknown without agents and catalog', [], [], { llm: '', stt: '', tts: '', voiceId: '', model: null }],
    ['are the first of each kind', [], catalog, { llm: 'openai', stt: 'deepgram', tts: 'flite', voiceId: '' }],
    [
      'are those of the first complete agent, and of the catalog where it has none',
      [sampleAgent(), complete],
      catalog,
      { llm: 'local', stt: 'deepgram', tts: 'elevenlabs', voiceId: 'rachel', model: complete },
    ],
    [
      'are not those of a speech-to-speech agent, which has no voice of its own',
      [sampleAgent({ llm_config: complete.llm_config as never })],
      catalog,
      { llm: 'openai', model: null },
    ],
  ])('%s', (_, agents, providers, expected) => {
    expect(likelyEngines(agents, providers)).toMatchObject({ isRealtime: false, ...expected });
  });
});

describe('the fields of the engines', () => {
  const engines: Engines = likelyEngines([], catalog);

  function showFields(changes: Partial<Engines> = {}) {
    const onChange = vi.fn<(engines: Engines) => void>();
    show(<EngineFields engines={{ ...engines, ...changes }} catalog={catalog} onChange={onChange} />);
    return onChange;
  }

  it.each([
    ['Language model', 'llm'],
    ['Speech recognition', 'stt'],
    ['Voice', 'tts'],
    ['Voice id', 'voiceId'],
  ])('change %s alone', (name, key) => {
    const onChange = showFields();
    type(screen.getByLabelText(name), 'other');
    expect(onChange.mock.calls).toEqual([[{ ...engines, [key]: 'other' }]]);
  });

  it('suggest the providers of the catalog, and accept others', () => {
    showFields();
    const options = [...document.querySelectorAll('datalist option')].map((option) => [
      option.getAttribute('value'),
      option.textContent,
    ]);
    expect(options).toEqual(catalog.map(({ id, name }) => [id, name]));
    const list = document.querySelector('datalist')?.id;
    expect(screen.getByLabelText('Language model').getAttribute('list')).toBe(list);
  });

  it('need all but the voice id', () => {
    showFields();
    const required = ['Language model', 'Speech recognition', 'Voice', 'Voice id'].map(
      (name) => (screen.getByLabelText(name) as HTMLInputElement).required,
    );
    expect(required).toEqual([true, true, true, false]);
  });

  it('are the model alone for speech-to-speech', () => {
    const onChange = showFields({ isRealtime: true });
    expect(screen.queryByLabelText('Voice')).toBeNull();
    fireEvent.click(screen.getByRole('checkbox', { name: /^Speech-to-speech/ }));
    expect(onChange.mock.calls).toEqual([[{ ...engines, isRealtime: false }]]);
  });
});
