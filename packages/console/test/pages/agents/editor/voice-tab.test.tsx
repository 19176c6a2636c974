// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/dom';
import type { Agent, Client, Voice } from '@va/client';
import { sampleAgent } from '@va/testkit';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AgentsPage } from '../../../../src/app/pages/agents/agents-page.tsx';
import { keepAudio } from '../../../support/browser-parts.ts';
import { sampleVoice } from '../../../support/records.ts';
import { serveSchemas } from '../../../support/schemas.ts';
import { deferred, refusal, sessionWith } from '../../../support/session.ts';
import { settle, showPage } from '../../../support/show.tsx';
import { cellsOf, press, rowOf, textOf, type } from '../../../support/user.ts';

type Sample = Client['voices']['sample'];

let audio: () => HTMLAudioElement;
let revoked: string[];

beforeEach(() => {
  serveSchemas();
  audio = keepAudio();
  let urls = 0;
  revoked = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation(() => {
    urls += 1;
    return `blob:${urls}`;
  });
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation((url) => void revoked.push(url));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const agent: Agent = sampleAgent({
  id: 'agent-1',
  name: 'Anna',
  first_message: 'Good day.',
  stt_config: { provider: 'deepgram', language: 'nl-NL' } as never,
  tts_config: { provider: 'deepgram', voiceId: 'thalia', speed: 1.1, fallbacks: [] } as never,
});
const voices = [sampleVoice(), sampleVoice({ id: 'rachel', name: 'Rachel', provider: 'elevenlabs' })];
const wav = new Blob(['RIFF']);

async function open(
  sample: Sample,
  {
    scopes = ['*'],
    list = voices,
    shown = agent,
  }: {
    readonly scopes?: readonly string[];
    readonly list?: readonly Voice[];
    readonly shown?: Agent;
  } = {},
) {
  const client = {
    agents: { get: async () => shown },
    voices: { sample, list: async () => ({ voices: [...list], xai_realtime_voices: [] }) },
  };
  const shownPage = showPage(<AgentsPage session={sessionWith(client, { scopes })} />, '#/agents/agent-1/voice');
  await screen.findByRole('heading', { level: 1, name: 'Anna' });
  return shownPage;
}

const own = (): HTMLElement => screen.getByRole('button', { name: /^(?:Listen to this voice|Stop)$/ });

describe('the voices of the service', () => {
  it('are listed, and the current one is marked', async () => {
    await open(async () => wav);
    expect(cellsOf(await screen.findByRole('table', { name: 'Voices' })).map((cells) => cells.slice(1))).toEqual([
      ['Thalia', 'en-US', 'deepgram', 'Warm and clear', 'In use'],
      ['Rachel', 'en-US', 'elevenlabs', 'Warm and clear', 'Use'],
    ]);
  });

  it('replace the settings of another provider', async () => {
    await open(async () => wav);
    await screen.findByRole('table');
    press('Use', rowOf('Rachel'));
    expect(screen.getByRole('textbox', { name: 'Synthesizer' })).toHaveProperty('value', 'elevenlabs');
    expect(screen.getByRole('textbox', { name: 'Voice' })).toHaveProperty('value', 'rachel');
    expect(rowOf('Rachel').textContent).toContain('In use');
    press('Use', rowOf('Thalia'));
    expect(screen.getByRole('textbox', { name: 'Synthesizer' })).toHaveProperty('value', 'deepgram');
  });

  it('say that there are none', async () => {
    await open(async () => wav, { list: [] });
    await screen.findByText(/^The service lists no voices/);
  });

  it('are left out without the scope, as are samples', async () => {
    await open(async () => wav, { scopes: ['agents:read'] });
    expect(screen.queryByRole('heading', { name: 'Voices' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Listen to this voice' })).toBeNull();
  });
});

describe('the sample of a voice', () => {
  it('is made with the settings of the form, saved or not', async () => {
    const sample = vi.fn<Sample>(async () => wav);
    await open(sample);
    type(screen.getByRole('textbox', { name: 'Voice' }), 'luna');
    press('Listen to this voice');
    await screen.findByRole('button', { name: 'Stop' });
    expect(sample.mock.calls[0]?.[0]).toEqual({
      tts_config: { provider: 'deepgram', voiceId: 'luna', speed: 1.1 },
      language: 'nl-NL',
    });
    await waitFor(() => expect([audio().src, audio().paused]).toEqual(['blob:1', false]));
  });

  it('says the first message if it has no variables', async () => {
    const sample = vi.fn<Sample>(async () => wav);
    await open(sample);
    press('Listen to the first message');
    await waitFor(() => expect(sample.mock.calls[0]?.[0]).toMatchObject({ text: 'Good day.' }));
  });

  it.each(['Hello {{name}}.', 'x'.repeat(201), ''])('does not say the first message "%s"', async (first_message) => {
    await open(async () => wav, { shown: { ...agent, first_message } });
    expect(screen.queryByRole('button', { name: 'Listen to the first message' })).toBeNull();
  });

  it('of a listed voice has its language', async () => {
    const sample = vi.fn<Sample>(async () => wav);
    await open(sample);
    await screen.findByRole('table');
    press('Listen to Rachel');
    await waitFor(() =>
      expect(sample.mock.calls[0]?.[0]).toEqual({
        tts_config: { provider: 'elevenlabs', voiceId: 'rachel' },
        language: 'en-US',
      }),
    );
  });

  it('stops at its end, and on request', async () => {
    await open(async () => wav);
    press('Listen to this voice');
    await waitFor(() => expect(audio().paused).toBe(false));
    void act(() => void audio().dispatchEvent(new Event('ended')));
    expect(own().textContent).toContain('Listen to this voice');
    press('Listen to this voice');
    await waitFor(() => expect(audio().src).toBe('blob:1'));
    press('Stop');
    expect([audio().paused, own().getAttribute('aria-busy')]).toEqual([true, 'false']);
  });

  it('is loaded once', async () => {
    const sample = vi.fn<Sample>(async () => wav);
    await open(sample);
    for (let n = 0; n < 2; n += 1) {
      press('Listen to this voice');
      await waitFor(() => expect(audio().paused).toBe(false));
      press('Stop');
    }
    expect(sample).toHaveBeenCalledTimes(1);
  });

  it('replaces another one that is still loading', async () => {
    const first = deferred<Blob>();
    const sample = vi.fn<Sample>().mockReturnValueOnce(first.promise);
    sample.mockResolvedValueOnce(wav);
    await open(sample);
    press('Listen to this voice');
    expect(screen.getByText('The sample is loading.')).toBeTruthy();
    press('Listen to the first message');
    expect(sample.mock.calls[0]?.[1]?.signal?.aborted).toBe(true);
    await waitFor(() => expect(audio().src).toBe('blob:1'));
    first.resolve(wav);
    await settle();
    expect(audio().src).toBe('blob:1');
  });

  it('shows why it cannot be made', async () => {
    await open(() => Promise.reject(refusal('unknown voice')));
    press('Listen to this voice');
    expect(textOf(await screen.findByRole('alert'))).toContain('unknown voice');
    expect(own().textContent).toContain('Listen to this voice');
  });

  it('frees its memory when the page is left', async () => {
    const { unmount } = await open(async () => wav);
    press('Listen to this voice');
    await waitFor(() => expect(audio().paused).toBe(false));
    unmount();
    await waitFor(() => expect(revoked).toEqual(['blob:1']));
    expect([audio().paused, audio().getAttribute('src')]).toEqual([true, null]);
  });

  it('keeps the last twenty in memory', async () => {
    await open(async () => wav);
    const field = screen.getByRole('textbox', { name: 'Voice' });
    for (let n = 1; n <= 21; n += 1) {
      type(field, `voice-${n}`);
      fireEvent.click(own());
      await waitFor(() => expect(audio().src).toBe(`blob:${n}`));
      fireEvent.click(own());
    }
    expect(revoked).toEqual(['blob:1']);
  });
});
