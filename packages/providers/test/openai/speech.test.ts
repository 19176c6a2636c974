import { ProviderError } from '@va/core';
import { systemClock, type TtsSessionOptions, type TtsUtterance } from '@va/core/adapter';
import { type OpenAiSpeechOptions, openaiSpeech } from '@va/providers/openai';
import { silentLogger } from '@va/testkit';
import { OpenAiSpeechServer } from '@va/testkit/provider-servers';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

async function startServer(): Promise<OpenAiSpeechServer> {
  const server = await OpenAiSpeechServer.start();
  onTestFinished(() => server.close());
  return server;
}

function speak(options: OpenAiSpeechOptions, session: Partial<TtsSessionOptions>, ...texts: string[]): TtsUtterance {
  const opened = openaiSpeech(options).open({
    config: { provider: 'openai' },
    format: { encoding: 'pcm16', sampleRateHz: 24_000 },
    signal: new AbortController().signal,
    clock: systemClock,
    logger: silentLogger,
    ...session,
  });
  onTestFinished(() => opened.close());
  const utterance = opened.speak();
  for (const text of texts) utterance.push(text);
  utterance.end();
  return utterance;
}

async function bytesOf(utterance: TtsUtterance): Promise<number> {
  let bytes = 0;
  for await (const event of utterance) if (event.type === 'audio') bytes += event.audio.length;
  return bytes;
}

async function errorOf(utterance: TtsUtterance): Promise<ProviderError> {
  const thrown = await bytesOf(utterance).catch((error: unknown) => error);
  if (thrown instanceof ProviderError) return thrown;
  throw new Error('the utterance did not fail');
}

describe('openaiSpeech', () => {
  it('sends the settings of the agent', async () => {
    const server = await startServer();
    const config = { provider: 'openai', voiceId: 'marin', instructions: 'Speak calmly.', speed: 1.2 };
    await bytesOf(speak({ apiKey: 'key', baseURL: server.url }, { config }, 'Hello.'));
    expect(server.spoken).toMatchObject([
      {
        headers: { authorization: 'Bearer key' },
        body: {
          ...{ input: 'Hello.', model: 'gpt-4o-mini-tts', voice: 'marin' },
          instructions: 'Speak calmly.',
          speed: 1.2,
        },
      },
    ]);
  });

  it('leaves the instructions out for models that ignore them', async () => {
    const server = await startServer();
    const config = { provider: 'openai', model: 'tts-1', instructions: 'Speak calmly.' };
    await bytesOf(speak({ baseURL: server.url }, { config }, 'Hello.'));
    expect(server.spoken[0]?.body).not.toHaveProperty('instructions');
  });

  it('sends the key of the organization instead of its own', async () => {
    const server = await startServer();
    await bytesOf(speak({ apiKey: 'key', baseURL: server.url }, { apiKey: 'theirs' }, 'Hello.'));
    expect(server.spoken[0]?.headers.authorization).toBe('Bearer theirs');
  });

  it('does not send the key of the environment to another service', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'of the environment');
    onTestFinished(() => void vi.unstubAllEnvs());
    const server = await startServer();
    await bytesOf(speak({ baseURL: server.url }, {}, 'Hello.'));
    expect(server.spoken[0]?.headers).not.toHaveProperty('authorization');
  });

  it('speaks the first clause at once, and combines the clauses that follow meanwhile', async () => {
    const server = await startServer();
    const bytes = await bytesOf(speak({ baseURL: server.url }, {}, 'One.', 'Two.', 'Three.', 'Four.'));
    expect(server.spoken.map(({ body }) => body.input).sort()).toEqual(['One.', 'Three. Four.', 'Two.']);
    expect(bytes).toBe((4 + 4 + 12) * 20 * 48);
  });

  it('splits a text of more than 4,096 characters', async () => {
    const server = await startServer();
    const text = 'word '.repeat(1_000).trim();
    await bytesOf(speak({ baseURL: server.url }, {}, text));
    const inputs = server.spoken.map(({ body }) => String(body.input));
    expect(inputs.map(({ length }) => length <= 4_096)).toEqual([true, true]);
    expect(inputs.sort((a, b) => b.length - a.length).join(' ')).toBe(text);
  });

  it('splits a text without spaces between two code points', async () => {
    const server = await startServer();
    const text = `a${'\u{1F600}'.repeat(3_000)}`;
    await bytesOf(speak({ baseURL: server.url }, {}, text));
    const inputs = server.spoken.map(({ body }) => String(body.input)).sort((a, b) => b.length - a.length);
    expect(inputs.join('')).toBe(text);
    expect(inputs.filter((each) => /\p{Surrogate}/u.test(each))).toEqual([]);
  });

  it('fails when the server sends more audio than the text can produce', async () => {
    const server = await startServer();
    server.failNext('endless');
    expect(await errorOf(speak({ baseURL: server.url }, {}, 'Hello.'))).toMatchObject({
      fault: 'connection',
      message: expect.stringContaining('more than 14400000 bytes'),
    });
  });

  it.each(['hang', 'stall'] as const)('times out after the fault %s', async (fault) => {
    const server = await startServer();
    server.failNext(fault);
    const error = await errorOf(speak({ baseURL: server.url, timeoutMs: 50 }, {}, 'Hello.'));
    expect(error).toMatchObject({ fault: 'timeout', retryable: true });
  });

  it('fails when the server sends another format than PCM', async () => {
    const server = await startServer();
    server.failNext('garbage');
    expect(await errorOf(speak({ baseURL: server.url }, {}, 'Hello.'))).toMatchObject({ fault: 'protocol' });
  });

  it.each([
    [{ status: 429, code: 'insufficient_quota' }, 'quota'],
    [{ status: 429 }, 'unavailable'],
    [{ status: 400 }, 'invalid_request'],
  ] as const)('classifies %o', async (refusal, fault) => {
    const server = await startServer();
    server.failNext(refusal);
    expect(await errorOf(speak({ baseURL: server.url }, {}, 'Hello.'))).toMatchObject({ fault });
  });

  it('removes the key from the error', async () => {
    const server = await startServer();
    server.failNext({ status: 401, repeatsKey: true });
    const error = await errorOf(speak({ apiKey: 'sk-secret', baseURL: server.url }, {}, 'Hello.'));
    expect(error).toMatchObject({ fault: 'auth', message: expect.stringContaining('[redacted]') });
    expect(error.message).not.toContain('sk-secret');
  });
});
