import { OpenAiSpeechServer } from '@va/testkit/provider-servers';
import { OpenAI, toFile } from 'openai';
import { describe, expect, it, onTestFinished } from 'vitest';

async function connect(): Promise<{ server: OpenAiSpeechServer; client: OpenAI }> {
  const server = await OpenAiSpeechServer.start({ transcripts: ['a table for two'] });
  onTestFinished(() => server.close());
  return { server, client: new OpenAI({ apiKey: 'key', baseURL: server.url, maxRetries: 0 }) };
}

/** Silence at 8 kHz. */
function wav(seconds: number): Uint8Array<ArrayBuffer> {
  const bytes = seconds * 16_000;
  const file = Buffer.alloc(44 + bytes);
  file.write('RIFF', 0);
  file.writeUInt32LE(36 + bytes, 4);
  file.write('WAVEfmt ', 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(8_000, 24);
  file.writeUInt32LE(16_000, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36);
  file.writeUInt32LE(bytes, 40);
  return new Uint8Array(file);
}

describe('OpenAiSpeechServer with the vendor’s own client', () => {
  it('streams speech as 16-bit samples', async () => {
    const { server, client } = await connect();
    const request = { model: 'tts-1', voice: 'alloy', input: 'Good morning.', response_format: 'pcm' as const };
    const audio = await (await client.audio.speech.create(request)).arrayBuffer();
    expect(audio.byteLength).toBe(13 * 20 * 48);
    expect(server.spoken[0]?.body).toEqual(request);
  });

  it('transcribes a WAV file', async () => {
    const { server, client } = await connect();
    const file = await toFile(wav(1), 'speech.wav');
    const { text } = await client.audio.transcriptions.create({ model: 'whisper-1', file, language: 'en' });
    expect(text).toBe('a table for two');
    expect(server.transcribed[0]?.fields).toMatchObject({ model: 'whisper-1', language: 'en' });
  });

  it('rejects text that is too long, audio that is too short, and other files', async () => {
    const { client } = await connect();
    const create = client.audio.transcriptions.create.bind(client.audio.transcriptions);
    const speech = client.audio.speech.create({
      model: 'm',
      voice: 'v',
      input: 'x'.repeat(4_097),
      response_format: 'pcm',
    });
    await expect(speech).rejects.toThrow('4096');
    await expect(create({ model: 'm', file: await toFile(wav(0.05), 'a.wav') })).rejects.toThrow('0.1 seconds');
    await expect(create({ model: 'm', file: await toFile(Buffer.alloc(100), 'a.wav') })).rejects.toThrow('not PCM WAV');
  });
});
