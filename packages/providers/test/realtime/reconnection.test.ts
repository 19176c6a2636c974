import { VirtualClock } from '@va/testkit';
import type { RealtimeStep } from '@va/testkit/provider-servers';
import { describe, expect, it } from 'vitest';
import { until } from '../options.ts';
import { audioBytes, dialects, endings, ofType, saidIn, sentTo, setUp, speech, untilSent } from './support.ts';

const withTools = { withTools: true };
const minutes = 60_000;

describe.each(dialects)('lost connection to %s', (dialect) => {
  const steps: RealtimeStep[] = [
    'open',
    'session.update',
    'session.updated',
    'input_audio_buffer.append',
    'input_audio_buffer.commit',
    'response.create',
  ];
  it.each(steps)('at %s is replaced, and the turn is answered normally', async (cutAt) => {
    const { server, session, events } = await setUp(dialect, {
      faults: [{ cutAt }],
      transcripts: ['a table for two', 'a table for two'],
      replies: [{ text: 'Certainly.' }],
    });
    for (const frame of speech(200)) session.send(frame);
    session.commit(1);
    session.respond(1, withTools);
    await until(() => endings(events).length === 1 && ofType(events, 'user-text').length === 1);
    expect(ofType(events, 'user-text')).toEqual([{ type: 'user-text', turn: 1, text: 'a table for two' }]);
    expect(endings(events)).toEqual(['1 completed']);
    expect(server.connections).toHaveLength(2);
    expect(server.connections[1]?.items.map(({ role }) => role)).toEqual(['user', 'assistant']);
  });

  it('fails a response that had begun', async () => {
    const { session, events } = await setUp(dialect, { faults: [{ cutAt: 'response.created' }] });
    session.respond(1, withTools);
    session.respond(2, withTools);
    await until(() => endings(events).length === 2);
    expect(ofType(events, 'response-failed')[0]).toMatchObject({ response: 1, retryable: true });
    expect(endings(events)).toEqual(['1 failed', '2 completed']);
  });

  it.each(['response.output_audio.delta', 'response.function_call_arguments.delta'] as const)(
    'at %s fails the response, and sends what was said to the next connection',
    async (cutAt) => {
      const { server, session, events } = await setUp(dialect, {
        faults: [{ cutAt }],
        replies: [
          { text: 'Well then.', toolCalls: [{ id: 'call-1', name: 'book', arguments: '{"a":1}' }] },
          { text: 'Again.' },
        ],
      });
      session.respond(1, withTools);
      await until(() => endings(events).length === 1);
      expect(ofType(events, 'response-failed')[0]).toMatchObject({ response: 1, retryable: true });
      expect(ofType(events, 'tool-call')).toEqual([]);
      const said = saidIn(events, 1).trim();
      session.respond(2, withTools);
      await until(() => endings(events).length === 2);
      expect(server.connections[1]?.items.map(({ text }) => text.trim())).toEqual([said, 'Again.']);
    },
  );

  it('is replaced in the middle of a turn, with its audio so far', async () => {
    const { server, session, events } = await setUp(dialect, { transcripts: ['one long sentence'] });
    for (const frame of speech(200)) session.send(frame);
    await until(() => server.connections[0]?.audioBytes === 1_600);
    server.cutConnections();
    for (const frame of speech(100)) session.send(frame);
    session.commit(1);
    await until(() => ofType(events, 'user-text').length === 1);
    expect(events).toEqual([{ type: 'user-text', turn: 1, text: 'one long sentence' }]);
    expect(server.connections[1]?.audioBytes).toBe(300 * 8);
  });

  it('is replaced with the end of a long conversation, without outputs whose calls were dropped', async () => {
    const { server, session } = await setUp(dialect, {
      session: {
        history: [
          { role: 'assistant', content: '', toolCalls: [{ id: 'call-1', name: 'look', arguments: '{}' }] },
          { role: 'tool', toolCallId: 'call-1', content: 'seen' },
        ],
      },
    });
    for (let message = 1; message <= 99; message++) session.addMessage('user', `message ${message}`);
    await until(() => server.connections[0]?.items.length === 99);
    server.cutConnections();
    await until(() => server.connections[1]?.items.length === 99);
    expect(server.connections[1]?.items[0]?.text).toBe('message 1');
    expect(server.connections[1]?.items.at(-1)?.text).toBe('message 99');
  });

  it('is replaced with at most what llm_config.context allows, but all instructions', async () => {
    const context = { max_tokens: 500, keep_last_turns: 6, summarize: true };
    const { server, session } = await setUp(dialect, {
      session: { config: { provider: dialect, messages: [], tools: [], context } },
    });
    session.addMessage('system', 'The caller is a member.');
    await until(() => server.connections[0]?.items.length === 1);
    const long = 'word '.repeat(80);
    for (let message = 1; message <= 10; message++) session.addMessage('user', `${message} ${long}`);
    await until(() => server.connections[0]?.items.length === 11);
    server.cutConnections();
    await until(() => server.connections[1]?.items.length === 5);
    const texts = server.connections[1]?.items.map(({ text }) => text.split(' ')[0]);
    expect(texts).toEqual(['The', '7', '8', '9', '10']);
  });

  it('is replaced with the result of a tool and its call', async () => {
    const call = { id: 'call-1', name: 'book', arguments: '{"guests":4}' };
    const { server, session, events } = await setUp(dialect, { replies: [{ toolCalls: [call] }, { text: 'Done.' }] });
    session.respond(1, withTools);
    await until(() => endings(events).length === 1);
    server.cutConnections();
    session.addToolResult('call-1', 'booked');
    await until(() => server.connections.length === 2);
    session.respond(2, withTools);
    await until(() => endings(events).length === 2);
    expect(server.connections[1]?.items.map(({ type, text }) => [type, text])).toEqual([
      ['function_call', 'book'],
      ['function_call_output', 'booked'],
      ['message', 'Done.'],
    ]);
  });

  it.each([
    ['is refused', { status: 503 }, 'unavailable'],
    ['breaks at once', { cutAt: 'session.updated' }, 'connection'],
  ] as const)('is not replaced after three attempts in a row that it %s', async (_, fault, expected) => {
    const { server, session, ended } = await setUp(dialect, { faults: Array(9).fill(fault) });
    session.respond(1, withTools);
    await expect(ended).rejects.toMatchObject({ fault: expected, retryable: true });
    expect(server.connections.length).toBeLessThanOrEqual(4);
  });

  it('is replaced without a limit when each connection delivers a response', async () => {
    const { server, session, events } = await setUp(dialect);
    for (const response of [1, 2, 3, 4, 5]) {
      await until(() => server.connections.length === response);
      session.respond(response, withTools);
      await until(() => endings(events).length === response);
      server.cutConnections();
    }
    expect(endings(events)).toEqual([1, 2, 3, 4, 5].map((response) => `${response} completed`));
  });

  it('is replaced when the network accepts no more data', async () => {
    const { server, session } = await setUp(dialect, { faults: ['deaf'] });
    await untilSent(server, 'session.update');
    const second = new Uint8Array(8_000).fill(1);
    while (server.connections.length < 2) {
      for (let at = 0; at < 50; at++) session.send(second);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await until(() => (server.connections[1]?.audioBytes ?? 0) > 0);
  });
});

describe.each(dialects)('session with %s at its maximum duration', (dialect) => {
  const limit = dialect === 'openai' ? 60 : 30;

  it('is renewed in a pause after 90 % of that duration, with the conversation', async () => {
    const clock = new VirtualClock();
    const { server, session, events } = await setUp(dialect, { clock, transcripts: ['hello'] });
    for (const frame of speech(120)) session.send(frame);
    session.commit(1);
    session.respond(1, withTools);
    await until(() => endings(events).length === 1 && ofType(events, 'user-text').length === 1);
    await clock.advance(0.9 * limit * minutes - 1);
    expect(server.connections).toHaveLength(1);
    await clock.advance(1);
    await until(() => server.connections.length === 2 && server.connections[0]?.closed === true);
    session.respond(2, withTools);
    await until(() => endings(events).length === 2);
    expect(server.connections[1]?.items.map(({ text }) => text)).toEqual(['hello', 'Okay.', 'Okay.']);
  });

  it('waits for the end of the current speech', async () => {
    const clock = new VirtualClock();
    const { server, session, events } = await setUp(dialect, {
      clock,
      replies: [{ text: 'One two.', holdAfterWords: 1 }],
      timeoutMs: 2 * limit * minutes,
    });
    session.respond(1, withTools);
    await until(() => audioBytes(events) > 0);
    for (const frame of speech(60)) session.send(frame);
    await clock.advance(0.95 * limit * minutes);
    expect(server.connections).toHaveLength(1);
    server.release();
    await until(() => endings(events).length === 1);
    // The caller is still speaking.
    expect(server.connections).toHaveLength(1);
    session.commit(1);
    await until(() => server.connections.length === 2);
    expect(endings(events)).toEqual(['1 completed']);
  });

  it('is renewed at the limit at the latest, with the current turn', async () => {
    const clock = new VirtualClock();
    const { server, session, events } = await setUp(dialect, {
      clock,
      replies: [{ text: 'One two.', holdAfterWords: 1 }],
      timeoutMs: 2 * limit * minutes,
    });
    session.respond(1, withTools);
    await until(() => audioBytes(events) > 0);
    for (const frame of speech(120)) session.send(frame);
    await clock.advance(limit * minutes);
    await until(() => server.connections[1]?.audioBytes === 120 * 8);
    expect(ofType(events, 'response-failed')[0]).toMatchObject({ response: 1, retryable: true });
    session.commit(1);
    await until(() => ofType(events, 'user-text').length === 1);
  });

  it('is renewed when the provider ends it', async () => {
    const { server, session, events } = await setUp(dialect);
    session.respond(1, withTools);
    await until(() => endings(events).length === 1);
    server.expire();
    await until(() => server.connections.length === 2);
    session.respond(2, withTools);
    await until(() => endings(events).length === 2);
    expect(endings(events)).toEqual(['1 completed', '2 completed']);
    expect(sentTo(server.connections[1])).toEqual(['session.update', 'conversation.item.create', 'response.create']);
  });

  it('uses the configured limit', async () => {
    const clock = new VirtualClock();
    const { server, session } = await setUp(dialect, { clock, maxSessionMs: 10 * minutes });
    session.addMessage('system', 'Ready.');
    await untilSent(server, 'conversation.item.create');
    await clock.advance(9 * minutes);
    await untilSent(server, 'session.update', 1);
  });
});
