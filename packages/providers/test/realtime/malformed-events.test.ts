import { describe, expect, it } from 'vitest';
import { readServerEvent } from '../../src/realtime/server-event.ts';
import { until } from '../options.ts';
import { audioBytes, dialects, endings, ofType, saidIn, setUp, speech } from './support.ts';

const withTools = { withTools: true };
const pcm16 = { encoding: 'pcm16', sampleRateHz: 24_000 } as const;

describe.each(dialects)('invalid frames of %s', (dialect) => {
  it('are ignored', async () => {
    const call = { id: 'call-1', name: 'book', arguments: '{"guests":4}' };
    const { server, session, events } = await setUp(dialect, {
      faults: ['garbage'],
      transcripts: ['a table please'],
      replies: [{ text: 'With pleasure.', toolCalls: [call] }],
    });
    for (const frame of speech(200)) session.send(frame);
    session.commit(1);
    session.respond(1, withTools);
    await until(() => endings(events).length === 1 && ofType(events, 'user-text').length === 1);
    expect(endings(events)).toEqual(['1 completed']);
    expect(saidIn(events, 1)).toBe('With pleasure.');
    expect(ofType(events, 'tool-call').map((event) => event.call)).toEqual([call]);
    expect(ofType(events, 'user-text').map(({ text }) => text)).toEqual(['a table please']);
    expect(server.connections).toHaveLength(1);
  });

  it('close only the connection, not the session, when they are too large', async () => {
    const { server, session, events } = await setUp(dialect, { faults: ['huge-frame'] });
    await until(() => server.connections.length === 2);
    session.respond(1, withTools);
    await until(() => endings(events).length === 1);
    expect(endings(events)).toEqual(['1 completed']);
  });

  it('do not split a sample when a chunk has an odd number of bytes', async () => {
    const { session, events } = await setUp(dialect, {
      faults: ['odd-audio'],
      format: pcm16,
      replies: [{ text: 'Yes please.' }],
    });
    session.respond(1, withTools);
    await until(() => endings(events).length === 1);
    const audio = ofType(events, 'audio').map((event) => event.audio);
    expect(audio.filter(({ length }) => length % 2 === 1)).toEqual([]);
    expect(audioBytes(events)).toBe('Yes please.'.length * 40 * 48);
    // A tone that is shifted by a byte is loud noise.
    const samples = Buffer.concat(audio);
    for (let at = 0; at < samples.length; at += 2) expect(Math.abs(samples.readInt16LE(at))).toBeLessThanOrEqual(8_000);
  });

  it('are dropped when they are not valid Base64', async () => {
    const { session, events } = await setUp(dialect, { faults: ['bad-audio'], replies: [{ text: 'Yes.' }] });
    session.respond(1, withTools);
    await until(() => endings(events).length === 1);
    expect(audioBytes(events)).toBe(4 * 40 * 8);
  });
});

describe('readServerEvent', () => {
  const types = [
    'session.updated',
    'input_audio_buffer.committed',
    'conversation.item.input_audio_transcription.completed',
    'conversation.item.input_audio_transcription.failed',
    'response.created',
    'response.done',
    'response.output_item.added',
    'response.output_item.done',
    'response.output_audio.delta',
    'response.output_audio_transcript.delta',
    'response.function_call_arguments.done',
    'error',
  ];
  const values = [null, 0, '', 'text', [], {}, [[]], { id: {} }, { id: 'id', status: 7, type: 'function_call' }, true];
  const names = ['item_id', 'response', 'response_id', 'item', 'delta', 'transcript', 'call_id', 'arguments', 'error'];

  it('never throws', () => {
    for (const type of types) {
      for (const name of names) {
        for (const value of values) {
          const read = readServerEvent(JSON.stringify({ type, [name]: value }));
          expect(['string', 'object']).toContain(typeof read);
        }
      }
    }
  });

  it.each(['', '{', 'null', '7', '[]', '{"type":{}}', '['.repeat(100_000), '\u0000'])(
    'rejects a text that is not an event: %#',
    (text) => expect(readServerEvent(text)).toBe('unreadable'),
  );
});
