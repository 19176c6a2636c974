import type { SttConfig } from '@va/core';
import type { SttEvent } from '@va/core/adapter';
import { deepgram } from '@va/providers/deepgram';
import { DeepgramServer } from '@va/testkit/provider-servers';
import { afterEach, describe, expect, it } from 'vitest';
import { common, until } from '../options.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function setUp(config: Partial<SttConfig>, languages?: readonly string[]) {
  const server = await DeepgramServer.start({
    turns: ['goedemorgen allemaal', 'a table'],
    languages: ['nl', undefined],
  });
  const call = new AbortController();
  const stream = deepgram({ apiKey: 'dg-key', baseUrl: server.url }).open({
    ...common(call.signal),
    config: { provider: 'deepgram', ...config },
    format: { encoding: 'pcmu', sampleRateHz: 8_000 },
    hints: [],
    ...(languages !== undefined && { languages }),
  });
  closers.push(
    () => server.close(),
    () => stream.close(),
  );
  const events: SttEvent[] = [];
  const read = async () => {
    for await (const event of stream) events.push(event);
  };
  read().catch(() => undefined);
  const send = (frames: number, code: number): void => {
    for (let n = 0; n < frames; n++) stream.send(new Uint8Array(160).fill(code));
  };
  const finals = (): SttEvent[] => events.filter(({ type }) => type === 'final');
  return { server, stream, send, finals };
}

describe('deepgram with several languages', () => {
  it('uses the multilingual model of nova-3 with hints, and reports the detected language', async () => {
    const { server, stream, send, finals } = await setUp({ model: 'nova-3', language: 'en' }, ['en', 'nl-NL']);
    send(25, 0x55);
    stream.finalize();
    await until(() => finals().length === 1);
    send(25, 0x55);
    stream.finalize();
    await until(() => finals().length === 2);
    expect(finals()).toEqual([
      { type: 'final', text: 'goedemorgen allemaal', language: 'nl' },
      { type: 'final', text: 'a table' },
    ]);
    const query = server.connections[0]?.query;
    expect([query?.get('language'), query?.getAll('language_hint')]).toEqual(['multi', ['en', 'nl-NL']]);
  });

  it('sends older models no hints, which they refuse', async () => {
    const { server } = await setUp({ model: 'nova-2', language: 'en' }, ['en', 'es']);
    await until(() => server.connections.length === 1);
    const query = server.connections[0]?.query;
    expect([query?.get('language'), query?.getAll('language_hint')]).toEqual(['multi', []]);
  });

  it('passes all languages to multilingual Flux, and reports the language of a turn', async () => {
    const { server, send, finals } = await setUp({ model: 'flux-general-multi', language: 'en' }, ['en', 'nl']);
    send(25, 0x55);
    send(40, 0xff);
    await until(() => finals().length === 1);
    expect(finals()).toEqual([{ type: 'final', text: 'goedemorgen allemaal', language: 'nl' }]);
    expect(server.connections[0]?.query.getAll('language_hint')).toEqual(['en', 'nl']);
  });

  it('requests one language when the agent has one', async () => {
    const { server } = await setUp({ model: 'nova-3', language: 'nl' });
    await until(() => server.connections.length === 1);
    expect(server.connections[0]?.query.get('language')).toBe('nl');
  });
});
