import type { SttConfig } from '@va/core';
import type { SttEvent } from '@va/core/adapter';
import { assemblyai } from '@va/providers/assemblyai';
import { AssemblyAiServer } from '@va/testkit/provider-servers';
import { StreamingTranscriber, type TurnEvent } from 'assemblyai';
import { describe, expect, it, onTestFinished } from 'vitest';
import { common, until } from '../options.ts';

async function setUp(config: Partial<SttConfig>, languages?: readonly string[]) {
  const server = await AssemblyAiServer.start({
    turns: ['bonjour à tous', 'a table'],
    languages: ['fr', undefined],
  });
  const stream = assemblyai({ apiKey: 'key', baseUrl: server.url }).open({
    ...common(),
    config: { provider: 'assemblyai', ...config },
    format: { encoding: 'pcmu', sampleRateHz: 8_000 },
    hints: [],
    ...(languages !== undefined && { languages }),
  });
  onTestFinished(async () => {
    stream.close();
    await server.close();
  });
  const finals: SttEvent[] = [];
  const read = async (): Promise<void> => {
    for await (const event of stream) if (event.type === 'final') finals.push(event);
  };
  read().catch(() => undefined);
  /** Sends a turn of 800 ms, and 600 ms of silence. */
  const say = (): void => {
    for (let at = 0; at < 70; at++) stream.send(new Uint8Array(160).fill(at < 40 ? 0x55 : 0xff));
  };
  return { server, say, finals };
}

describe('assemblyai with several languages', () => {
  it('asks the multilingual model for the language of turns, and reports it', async () => {
    const { server, say, finals } = await setUp({ language: 'fr-FR' }, ['fr-FR', 'en']);
    say();
    await until(() => finals.length === 1);
    say();
    await until(() => finals.length === 2);
    expect(finals).toEqual([
      { type: 'final', text: 'Bonjour à tous.', language: 'fr' },
      { type: 'final', text: 'A table.' },
    ]);
    const query = server.connections[0]?.query;
    expect(query?.get('speech_model')).toBe('universal-streaming-multilingual');
    expect(query?.get('language_detection')).toBe('true');
    expect(query?.has('language_codes')).toBe(false);
  });

  it('passes all languages to the models that accept them', async () => {
    const { server } = await setUp({ model: 'universal-3-5-pro', language: 'fr' }, ['fr-FR', 'en']);
    await until(() => server.connections.length === 1);
    expect(server.connections[0]?.query.get('language_codes')).toBe('["fr","en"]');
  });

  it('requests no detection when the agent has one language', async () => {
    const { server, say, finals } = await setUp({ language: 'fr' });
    say();
    await until(() => finals.length === 1);
    expect(finals).toEqual([{ type: 'final', text: 'Bonjour à tous.' }]);
    expect(server.connections[0]?.query.has('language_detection')).toBe(false);
  });
});

/** The vendor's client accepts TLS only; the connection to the server on this machine is plain. */
class PlainTranscriber extends StreamingTranscriber {
  constructor(url: string) {
    super({
      apiKey: 'key',
      websocketBaseUrl: `${url.replace('ws:', 'wss:')}/v3/ws`,
      sampleRate: 8_000,
      encoding: 'pcm_mulaw',
      speechModel: 'universal-streaming-multilingual',
      languageDetection: true,
    });
    const secure = Reflect.get(this, 'connectionUrl') as () => URL;
    Reflect.set(this, 'connectionUrl', () => new URL(secure.call(this).href.replace('wss:', 'ws:')));
  }
}

describe('AssemblyAiServer with the vendor’s own client', () => {
  it('reports the language of a turn', async () => {
    const server = await AssemblyAiServer.start({ turns: ['bonjour à tous'], languages: ['fr'] });
    onTestFinished(() => server.close());
    const client = new PlainTranscriber(server.url);
    const turns: TurnEvent[] = [];
    client.on('turn', (turn) => turns.push(turn));
    await client.connect();
    for (let at = 0; at < 14; at++) client.sendAudio(new Uint8Array(800).fill(at < 8 ? 0x55 : 0xff).buffer);
    await until(() => turns.at(-1)?.end_of_turn === true);
    await client.close();
    expect(turns.at(-1)?.language_code).toBe('fr');
  });
});
