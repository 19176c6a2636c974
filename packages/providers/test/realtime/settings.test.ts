import { openaiRealtime } from '@va/providers/openai';
import type { RealtimeDialectName } from '@va/testkit/provider-servers';
import type { RealtimeTranscriptionSessionAudioInput } from 'openai/resources/realtime/realtime';
import { describe, expect, it } from 'vitest';
import { until } from '../options.ts';
import { setUp } from './support.ts';

const base = { messages: [], tools: [] };

/** Returns the `session` of the first `session.update`. */
async function described(
  dialect: RealtimeDialectName,
  { model, hints = [] }: { readonly model?: string; readonly hints?: readonly string[] } = {},
): Promise<Record<string, unknown>> {
  const config = { ...base, provider: `${dialect}_realtime`, ...(model !== undefined && { model }) };
  const { server } = await setUp(dialect, { session: { config, hints } });
  await until(() => server.connections[0]?.session.audio !== undefined);
  return server.connections[0]?.session ?? {};
}

function transcriptionOf(session: Record<string, unknown>): RealtimeTranscriptionSessionAudioInput['transcription'] {
  const { input } = session.audio as { readonly input: RealtimeTranscriptionSessionAudioInput };
  return input.transcription;
}

describe('key terms', () => {
  it('are sent to openai as the prompt of its transcription', async () => {
    const session = await described('openai', { hints: ['Trattoria Roma', 'Bianchi'] });
    expect(transcriptionOf(session)?.prompt).toBe('The caller may say: Trattoria Roma, Bianchi.');
    expect(transcriptionOf(await described('openai'))).not.toHaveProperty('prompt');
  });

  it('are sent to xai as the key terms of its transcription', async () => {
    const session = await described('xai', { hints: ['Trattoria Roma', 'Bianchi'] });
    expect(transcriptionOf(session)).toEqual({ keyterms: ['Trattoria Roma', 'Bianchi'] });
    expect(transcriptionOf(await described('xai'))).toEqual({});
  });
});

describe('reasoning effort', () => {
  it.each([
    ['gpt-realtime', undefined],
    ['gpt-realtime-2', { effort: 'minimal' }],
    ['gpt-realtime-2-2026-05-01', { effort: 'minimal' }],
    ['gpt-realtime-mini', undefined],
  ])('of openai’s %s is the lowest by default', async (model, reasoning) => {
    expect((await described('openai', { model })).reasoning).toEqual(reasoning);
  });

  it('of xai is none by default', async () => {
    expect((await described('xai')).reasoning).toEqual({ effort: 'none' });
  });

  it('can be set for openai', () => {
    expect(openaiRealtime().optionsSchema?.safeParse({ reasoning_effort: 'low' }).success).toBe(true);
  });
});

describe('options that the adapter does not know', () => {
  it.each(['openai', 'xai'] as const)('are fields of the session of %s', async (dialect) => {
    const { server } = await setUp(dialect, {
      session: { config: { ...base, provider: `${dialect}_realtime`, options: { tracing: 'auto' } } },
    });
    await until(() => server.connections[0]?.session.audio !== undefined);
    expect(server.connections[0]?.session.tracing).toBe('auto');
  });
});
