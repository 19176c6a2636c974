import { type SttEvent, type SttStream, type SttStreamOptions, systemClock } from '@va/core/adapter';
import { type OpenAiTranscriptionOptions, openaiTranscription } from '@va/providers/openai';
import { silentLogger } from '@va/testkit';
import { OpenAiSpeechServer } from '@va/testkit/provider-servers';
import { describe, expect, it, onTestFinished } from 'vitest';

async function startServer(...transcripts: string[]): Promise<OpenAiSpeechServer> {
  const server = await OpenAiSpeechServer.start({ transcripts });
  onTestFinished(() => server.close());
  return server;
}

function open(options: OpenAiTranscriptionOptions, stream: Partial<SttStreamOptions> = {}): SttStream {
  const opened = openaiTranscription(options).open({
    config: { provider: 'openai' },
    format: { encoding: 'pcm16', sampleRateHz: 8_000 },
    hints: [],
    signal: new AbortController().signal,
    clock: systemClock,
    logger: silentLogger,
    ...stream,
  });
  onTestFinished(() => opened.close());
  return opened;
}

/** Sends audio in frames of 20 ms. */
function send(stream: SttStream, durationMs: number): void {
  for (let at = 0; at < durationMs; at += 20) stream.send(new Uint8Array(320).fill(7));
}

function utter(stream: SttStream, durationMs: number): void {
  stream.speechStarted();
  send(stream, durationMs);
  stream.finalize();
}

async function eventsUntil(stream: SttStream, finalized: number): Promise<SttEvent[]> {
  const events: SttEvent[] = [];
  for await (const event of stream) {
    events.push(event);
    if (events.filter(({ type }) => type === 'finalized').length === finalized) break;
  }
  return events;
}

const durationsOf = ({ transcribed }: OpenAiSpeechServer) => transcribed.map(({ file }) => (file.length - 44) / 16);

describe('openaiTranscription', () => {
  it('transcribes each utterance in order', async () => {
    const server = await startServer('one', 'two');
    const stream = open({ baseURL: server.url });
    utter(stream, 500);
    utter(stream, 300);
    expect(await eventsUntil(stream, 2)).toEqual([
      { type: 'final', text: 'one' },
      { type: 'finalized' },
      { type: 'final', text: 'two' },
      { type: 'finalized' },
    ]);
    expect(durationsOf(server)).toEqual([500, 300]);
  });

  it('includes the last second before the detected start', async () => {
    const server = await startServer();
    const stream = open({ baseURL: server.url });
    send(stream, 5_000);
    utter(stream, 500);
    await eventsUntil(stream, 1);
    expect(durationsOf(server)).toEqual([1_500]);
  });

  it('sends the language, the prompt and the key terms', async () => {
    const server = await startServer();
    const config = { provider: 'openai', language: 'nl-NL', prompt: 'Een restaurant.', temperature: 0.2 };
    const stream = open({ apiKey: 'key', baseURL: server.url }, { config, hints: ['Trattoria Roma'] });
    utter(stream, 500);
    stream.setHints?.(['Da Vinci']);
    utter(stream, 500);
    await eventsUntil(stream, 2);
    expect(server.transcribed[0]).toMatchObject({
      headers: { authorization: 'Bearer key' },
      fields: { model: 'gpt-4o-mini-transcribe', language: 'nl', response_format: 'json', temperature: '0.2' },
    });
    expect(server.transcribed[1]?.fields.prompt).toBe('Een restaurant. The caller may say: Da Vinci.');
  });

  it('transcribes a long utterance in parts of a minute', async () => {
    const server = await startServer('first', 'second');
    const stream = open({ baseURL: server.url });
    utter(stream, 70_000);
    const events = await eventsUntil(stream, 1);
    expect(events.map(({ type }) => type)).toEqual(['final', 'final', 'finalized']);
    expect(durationsOf(server)).toEqual([60_000, 10_000]);
  });

  it('does not send audio of less than 0.1 s', async () => {
    const server = await startServer();
    const stream = open({ baseURL: server.url });
    utter(stream, 60);
    expect(await eventsUntil(stream, 1)).toEqual([{ type: 'finalized' }]);
    expect(server.transcribed).toEqual([]);
  });

  it('emits no final for an empty transcript', async () => {
    const server = await startServer();
    server.failNext('empty');
    const stream = open({ baseURL: server.url });
    utter(stream, 500);
    expect(await eventsUntil(stream, 1)).toEqual([{ type: 'finalized' }]);
  });

  it('tries again after a timeout', async () => {
    const server = await startServer('again');
    server.failNext('hang');
    // Long enough for the second attempt on a loaded machine.
    const stream = open({ baseURL: server.url, timeoutMs: 1_000 });
    utter(stream, 500);
    expect(await eventsUntil(stream, 1)).toContainEqual({ type: 'final', text: 'again' });
  });

  it('removes the key from the error', async () => {
    const server = await startServer();
    server.failNext({ status: 401, repeatsKey: true });
    const stream = open({ apiKey: 'sk-secret', baseURL: server.url });
    utter(stream, 500);
    const failure = eventsUntil(stream, 1);
    await expect(failure).rejects.toMatchObject({ fault: 'auth' });
    await expect(failure).rejects.not.toThrow('sk-secret');
  });
});
