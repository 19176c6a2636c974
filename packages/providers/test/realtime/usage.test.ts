import { describe, expect, it } from 'vitest';
import { readResponseUsage, readTranscriptionUsage } from '../../src/realtime/usage.ts';
import { until } from '../options.ts';
import { dialects, endings, setUp, speech } from './support.ts';

describe.each(dialects)('usage of %s', (dialect) => {
  it('is reported for each response, also for a cancelled one', async () => {
    const { session, events, usage, server } = await setUp(dialect, {
      replies: [{ text: 'One.' }, { text: 'Two three.', holdAfterWords: 1 }],
    });
    session.respond(1, { withTools: true });
    session.respond(2, { withTools: true });
    await until(() => events.some((event) => event.type === 'text' && event.response === 2));
    session.cancel(2);
    server.release();
    await until(() => endings(events).length === 2);
    const counts = { inputTokens: 10, cachedInputTokens: 0, inputAudioTokens: 0 };
    expect(usage).toEqual([
      { ...counts, outputTokens: 4, outputAudioTokens: 4 },
      { ...counts, outputTokens: 4, outputAudioTokens: 4 },
    ]);
  });

  it('is reported for the transcription of a turn, in seconds', async () => {
    const { session, events, usage } = await setUp(dialect, { transcripts: ['Hello.'] });
    for (const frame of speech(400)) session.send(frame);
    session.commit(1);
    await until(() => events.some(({ type }) => type === 'user-text'));
    const seconds = { inputTokens: 0, outputTokens: 0, inputAudioSeconds: 1 };
    expect(usage).toEqual([dialect === 'openai' ? { ...seconds, model: 'gpt-4o-mini-transcribe' } : seconds]);
  });
});

describe('usage of a realtime event', () => {
  it('includes cached and audio tokens', () => {
    const usage = readResponseUsage({
      input_tokens: 100,
      output_tokens: 20,
      input_token_details: { cached_tokens: 60, audio_tokens: 80, cached_tokens_details: { audio_tokens: 50 } },
      output_token_details: { audio_tokens: 15 },
    });
    expect(usage).toEqual({
      inputTokens: 100,
      cachedInputTokens: 60,
      inputAudioTokens: 80,
      cachedInputAudioTokens: 50,
      outputTokens: 20,
      outputAudioTokens: 15,
    });
  });

  it('includes the tokens of a transcription', () => {
    expect(readTranscriptionUsage({ type: 'tokens', input_tokens: 14, output_tokens: 5 })).toEqual({
      inputTokens: 14,
      outputTokens: 5,
    });
  });

  it.each([undefined, 'garbage', { input_tokens: 'many' }, { seconds: -1 }])('is absent for %j', (value) => {
    expect(readTranscriptionUsage(value)).toBeUndefined();
  });
});
