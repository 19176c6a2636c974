import { openaiRealtime } from '@va/providers/openai';
import { xaiRealtime } from '@va/providers/xai';
import { describe, expect, it } from 'vitest';
import { common, until } from '../options.ts';
import { dialects, endings, eventsOf, pcmu, saidIn, sentTo, setUp, speech } from './support.ts';

describe('realtime models', () => {
  it('have the names by which agents select them, and telephone formats first', () => {
    const [xai, openai] = [xaiRealtime(), openaiRealtime()];
    expect([xai.id, xai.aliases, xai.vendor]).toEqual(['xai_realtime', ['vendor_realtime'], 'xai']);
    expect([openai.id, openai.aliases, openai.vendor]).toEqual(['openai_realtime', undefined, 'openai']);
    for (const { inputFormats, outputFormats } of [xai, openai]) {
      expect(inputFormats.map(({ encoding, sampleRateHz }) => `${encoding} ${sampleRateHz}`)).toEqual([
        'pcmu 8000',
        'pcma 8000',
        'pcm16 24000',
      ]);
      expect(outputFormats).toEqual(inputFormats);
    }
  });

  it.each([
    ['XAI_API_KEY', xaiRealtime],
    ['OPENAI_API_KEY', openaiRealtime],
  ] as const)('fail without a key: %s', (variable, factory) => {
    const saved = process.env[variable];
    delete process.env[variable];
    const opening = () =>
      factory().open({
        ...common(),
        config: { provider: 'any', messages: [], tools: [] },
        instructions: '',
        tools: [],
        history: [],
        inputFormat: pcmu,
        outputFormat: pcmu,
      });
    expect(opening).toThrow(variable);
    if (saved !== undefined) process.env[variable] = saved;
  });
});

describe('session of openai', () => {
  it('has a nested description, with the vendor’s turn detection off', async () => {
    const { server } = await setUp('openai', {
      session: { config: { provider: 'openai_realtime', voice: 'cedar', language: 'nl-NL', messages: [], tools: [] } },
    });
    await until(() => server.connections[0]?.session.type !== undefined);
    expect(server.connections[0]?.query.get('model')).toBe('gpt-realtime');
    expect(server.connections[0]?.session).toEqual({
      type: 'realtime',
      output_modalities: ['audio'],
      instructions: 'Be brief.',
      audio: {
        input: {
          format: { type: 'audio/pcmu' },
          transcription: { model: 'gpt-4o-mini-transcribe', language: 'nl' },
          turn_detection: null,
        },
        output: { format: { type: 'audio/pcmu' }, voice: 'cedar' },
      },
      tools: [
        {
          type: 'function',
          name: 'book',
          description: 'Books a table.',
          parameters: { type: 'object', properties: {} },
        },
      ],
      tool_choice: 'auto',
    });
  });
});

describe('session of xai', () => {
  it('has a flat description, with the vendor’s turn detection off', async () => {
    const { server } = await setUp('xai', {
      format: { encoding: 'pcm16', sampleRateHz: 24_000 },
      session: { config: { provider: 'xai_realtime', voice: 'leo', model: 'grok-voice-3', messages: [], tools: [] } },
    });
    await until(() => server.connections[0]?.session.voice !== undefined);
    expect(server.connections[0]?.query.get('model')).toBe('grok-voice-3');
    expect(server.connections[0]?.session).toMatchObject({
      voice: 'leo',
      instructions: 'Be brief.',
      turn_detection: null,
      audio: {
        input: { format: { type: 'audio/pcm', rate: 24_000 }, transcription: {} },
        output: { format: { type: 'audio/pcm', rate: 24_000 } },
      },
      tools: [{ type: 'function', name: 'book' }],
    });
  });
});

describe.each(dialects)('session with %s', (dialect) => {
  it('sends nothing before the provider has accepted it, and then everything in order', async () => {
    const { server, session, events } = await setUp(dialect, {
      faults: [{ sessionDelayMs: 50 }],
      transcripts: ['good morning'],
      replies: [{ text: 'Good morning to you.' }],
      session: {
        history: [
          { role: 'user', content: 'Is anybody there?' },
          { role: 'assistant', content: '', toolCalls: [{ id: 'call-0', name: 'look', arguments: '{}' }] },
          { role: 'tool', toolCallId: 'call-0', content: 'yes' },
          { role: 'assistant', content: 'There is.' },
        ],
      },
    });
    for (const frame of speech(200)) session.send(frame);
    session.commit(1);
    session.addMessage('system', 'It is early.');
    session.respond(1, { withTools: true });
    await until(() => endings(events).length === 1);
    const [connection] = server.connections;
    expect(connection?.early).toBe(0);
    expect(connection?.headers).toMatchObject({ authorization: 'Bearer rt-key', 'x-team': 'voice' });
    expect(connection?.items.map(({ type, role, text }) => [type, role, text])).toEqual([
      ['message', 'user', 'Is anybody there?'],
      ['function_call', undefined, 'look'],
      ['function_call_output', undefined, 'yes'],
      ['message', 'assistant', 'There is.'],
      ['message', 'user', '(audio)'],
      ['message', 'system', 'It is early.'],
      ['message', 'assistant', 'Good morning to you.'],
    ]);
    expect(saidIn(events, 1)).toBe('Good morning to you.');
    expect(sentTo(connection).at(-1)).toBe('response.create');
  });

  it('keeps the newest half minute of the audio before that', async () => {
    const { server, session } = await setUp(dialect, { faults: [{ sessionDelayMs: 50 }] });
    for (const frame of speech(40_000)) session.send(frame);
    session.commit(1);
    await until(() => eventsOf(server.connections[0], 'input_audio_buffer.commit').length === 1);
    expect(server.connections[0]?.audioBytes).toBe(30_000 * 8);
    const first = String(eventsOf(server.connections[0], 'input_audio_buffer.append')[0]?.audio);
    // 40 s are 2,000 frames, of which 500 are dropped; a frame's bytes contain its number.
    expect(Buffer.from(first, 'base64')[0]).toBe(501 % 256);
  });

  it("uses the organization's key for the organization's calls", async () => {
    const { server } = await setUp(dialect, { session: { apiKey: 'rt-customer' } });
    await until(() => server.connections.length === 1);
    expect(server.connections[0]?.headers.authorization).toBe('Bearer rt-customer');
  });

  it('changes the model’s instructions during the session', async () => {
    const { server, session } = await setUp(dialect, { faults: [{ sessionDelayMs: 50 }] });
    await until(() => server.connections[0]?.session.instructions !== undefined);
    // The description was sent without it, and is not accepted yet.
    session.update({ instructions: 'Be thorough.' });
    await until(() => server.connections[0]?.session.instructions === 'Be thorough.');
    session.update({ instructions: 'Be quick.' });
    await until(() => server.connections[0]?.session.instructions === 'Be quick.');
    server.cutConnections();
    await until(() => server.connections[1]?.session.instructions !== undefined);
    expect(server.connections[1]?.session.instructions).toBe('Be quick.');
  });
});
