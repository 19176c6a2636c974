import { describe, expect, it } from 'vitest';
import { until } from '../options.ts';
import { dialects, eventsOf, ofType, sentTo, setUp, speech } from './support.ts';

describe.each(dialects)('turns of the caller with %s', (dialect) => {
  it('are identified by their numbers when transcripts arrive out of order', async () => {
    const { session, events } = await setUp(dialect, {
      transcripts: [{ text: 'first', delayMs: 60 }, { text: 'second', delayMs: 30 }, 'third'],
    });
    for (const turn of [1, 2, 3]) {
      for (const frame of speech(120)) session.send(frame);
      session.commit(turn);
    }
    await until(() => events.length === 3);
    expect(events).toEqual([
      { type: 'user-text', turn: 3, text: 'third' },
      { type: 'user-text', turn: 2, text: 'second' },
      { type: 'user-text', turn: 1, text: 'first' },
    ]);
  });

  it('have an empty text when the provider sends no transcript', async () => {
    const { session, events } = await setUp(dialect, { transcripts: [{ text: null }] });
    for (const frame of speech(120)) session.send(frame);
    session.commit(1);
    await until(() => events.length === 1);
    expect(events).toEqual([{ type: 'user-text', turn: 1, text: '' }]);
  });

  it('have an empty transcript when they are too short, and add no audio to the next turn', async () => {
    const { server, session, events } = await setUp(dialect, { transcripts: ['after all'] });
    session.commit(1);
    for (const frame of speech(80)) session.send(frame);
    session.commit(2);
    for (const frame of speech(120)) session.send(frame);
    session.commit(3);
    await until(() => events.length === 3);
    expect(ofType(events, 'user-text').map(({ turn, text }) => [turn, text])).toEqual([
      [1, ''],
      [2, ''],
      [3, 'after all'],
    ]);
    expect(sentTo(server.connections[0])).toContain('input_audio_buffer.commit');
    expect(eventsOf(server.connections[0], 'input_audio_buffer.commit')).toHaveLength(1);
  });

  it.each(['input_audio_buffer_commit_empty', null])(
    'have an empty text when the provider rejects their commit (%s), and the next turn gets its own',
    async (code) => {
      const { session, events } = await setUp(dialect, {
        faults: [{ error: { type: 'invalid_request_error', code }, to: 'input_audio_buffer.commit' }],
        transcripts: ['the next'],
      });
      for (const turn of [1, 2]) {
        for (const frame of speech(120)) session.send(frame);
        session.commit(turn);
      }
      await until(() => events.length === 2);
      expect(events).toEqual([
        { type: 'user-text', turn: 1, text: '' },
        { type: 'user-text', turn: 2, text: 'the next' },
      ]);
    },
  );

  it('drop audio that is too short for a turn', async () => {
    const { server, session } = await setUp(dialect);
    session.addMessage('system', 'Ready.');
    await until(() => server.connections[0]?.items.length === 1);
    session.commit(1);
    for (const frame of speech(80)) session.send(frame);
    session.commit(2);
    for (const frame of speech(200)) session.send(frame);
    session.commit(3);
    await until(() => eventsOf(server.connections[0], 'input_audio_buffer.commit').length === 1);
    expect(sentTo(server.connections[0])).toEqual([
      'session.update',
      'conversation.item.create',
      'input_audio_buffer.clear',
      'input_audio_buffer.commit',
    ]);
  });
});
