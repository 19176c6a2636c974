import { type Deepgram, DeepgramClient } from '@deepgram/sdk';
import { DeepgramServer, type DeepgramServerOptions } from '@va/testkit/provider-servers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { until } from '../options.ts';

const rate = 16_000;
const speech = Int16Array.from({ length: rate }, (_, at) => 8_000 * Math.sin((at * 2 * Math.PI * 440) / rate));
const silence = new Int16Array(rate);

async function setUp(options: DeepgramServerOptions): Promise<{ server: DeepgramServer; client: DeepgramClient }> {
  const server = await DeepgramServer.start(options);
  onTestFinished(() => server.close());
  return { server, client: new DeepgramClient({ apiKey: 'key', baseUrl: server.url }) };
}

describe('DeepgramServer with @deepgram/sdk', () => {
  it('recognizes speech with Nova, ends a turn by itself, answers Finalize, and closes with its metadata', async () => {
    const { client } = await setUp({ turns: ['good morning', 'to you'], finalize: 'answered' });
    const socket = await client.listen.v1.connect({
      ...{ model: 'nova-3', encoding: 'linear16', sample_rate: rate, interim_results: 'true', endpointing: 25 },
      Authorization: 'Token key',
    });
    onTestFinished(() => socket.close());
    const results: Deepgram.listen.ListenV1Results[] = [];
    const metadata: Deepgram.listen.ListenV1Metadata[] = [];
    socket.on('message', (message) => {
      if (message.type === 'Results') results.push(message);
      if (message.type === 'Metadata') metadata.push(message);
    });
    socket.connect();
    await socket.waitForOpen();
    const transcripts = () => results.filter((each) => each.is_final === true && textOf(each) !== '').map(textOf);

    socket.sendMedia(speech.subarray(0, rate / 2));
    socket.sendMedia(silence.subarray(0, rate / 2));
    await until(() => results.some(({ speech_final }) => speech_final === true));
    expect(transcripts()).toEqual(['good morning']);

    socket.sendMedia(speech.subarray(0, rate / 2));
    socket.sendFinalize({ type: 'Finalize' });
    await until(() => results.some(({ from_finalize }) => from_finalize === true));
    expect(transcripts()).toEqual(['good morning', 'to you']);

    socket.sendCloseStream({ type: 'CloseStream' });
    await until(() => metadata.length > 0);
    expect(metadata).toEqual([
      {
        ...{ type: 'Metadata', channels: 1, transaction_key: 'deprecated' },
        request_id: expect.any(String),
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        created: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        duration: expect.any(Number),
      },
    ]);
  });

  it('takes words, Configure and ForceEndTurn of Flux', async () => {
    const { server, client } = await setUp({ turns: ['good morning to you'], forceEndTurn: true });
    const socket = await client.listen.v2.connect({
      ...{ model: 'flux-general-en', encoding: 'linear16', sample_rate: rate },
      Authorization: 'Token key',
    });
    onTestFinished(() => socket.close());
    const turns: Deepgram.listen.ListenV2TurnInfo[] = [];
    const types: string[] = [];
    socket.on('message', (message) => {
      types.push(message.type);
      if (message.type === 'TurnInfo') turns.push(message);
    });
    socket.connect();
    await socket.waitForOpen();
    socket.sendConfigure({ type: 'Configure', keyterms: ['Bianchi'] });
    await until(() => types.includes('ConfigureSuccess'));
    expect(server.connections[0]?.keyterms).toEqual([['Bianchi']]);

    socket.sendMedia(speech.subarray(0, rate / 2));
    await until(() => turns.some(({ words }) => words.length > 0));
    socket.sendForceEndTurn({ type: 'ForceEndTurn' });
    await until(() => turns.some(({ event }) => event === 'EndOfTurn'));
    const last = turns.at(-1);
    expect(last).toMatchObject({ event: 'EndOfTurn', transcript: 'good morning to you' });
    expect(last?.words.map(({ word }) => word)).toEqual(['good', 'morning', 'to', 'you']);
    expect(types[0]).toBe('Connected');
  });
});

function textOf({ channel }: Deepgram.listen.ListenV1Results): string {
  return channel.alternatives[0]?.transcript ?? '';
}
