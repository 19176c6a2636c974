import { VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { until } from '../options.ts';
import { audioBytes, dialects, endings, eventsOf, ofType, saidIn, sentTo, setUp, untilSent } from './support.ts';

const withTools = { withTools: true };

describe.each(dialects)('responses of %s', (dialect) => {
  it('are requested one after the other', async () => {
    const { server, session, events } = await setUp(dialect, {
      replies: [{ text: 'One and two.' }, { text: 'Three.' }, { text: 'Four.' }],
    });
    for (const response of [1, 2, 3]) session.respond(response, withTools);
    await until(() => endings(events).length === 3);
    expect(endings(events)).toEqual(['1 completed', '2 completed', '3 completed']);
    expect([1, 2, 3].map((response) => saidIn(events, response))).toEqual(['One and two.', 'Three.', 'Four.']);
    // 40 ms of μ-law per character.
    expect(audioBytes(events)).toBe('One and two.Three.Four.'.length * 40 * 8);
    expect(sentTo(server.connections[0])).toEqual(['session.update', ...Array(3).fill('response.create')]);
  });

  it('are never requested once they are cancelled', async () => {
    const { server, session, events } = await setUp(dialect, {
      replies: [{ text: 'One two.', holdAfterWords: 1 }, { text: 'Three.' }],
    });
    session.respond(1, withTools);
    session.respond(2, withTools);
    session.respond(3, withTools);
    await until(() => audioBytes(events) > 0);
    session.cancel(2);
    server.release();
    await until(() => endings(events).length === 3);
    expect(endings(events)).toEqual(['2 cancelled', '1 completed', '3 completed']);
    expect(eventsOf(server.connections[0], 'response.create')).toHaveLength(2);
  });

  it('emit only their end after they are cancelled', async () => {
    const { server, session, events } = await setUp(dialect, {
      replies: [{ text: 'One two three.', holdAfterWords: 2 }, { text: 'Four.' }],
    });
    session.respond(1, withTools);
    await until(() => saidIn(events, 1) === 'One two ' && audioBytes(events) === 8 * 40 * 8);
    session.cancel(1);
    session.cancel(1);
    session.respond(2, withTools);
    const before = events.length;
    await until(() => endings(events).length === 2);
    expect(events[before]).toEqual({ type: 'response-done', response: 1, status: 'cancelled' });
    expect(endings(events)).toEqual(['1 cancelled', '2 completed']);
    expect(eventsOf(server.connections[0], 'response.cancel')).toHaveLength(1);
    session.cancel(1);
    session.cancel(99);
  });

  it('emit nothing when they are cancelled before they were read, and count as not said', async () => {
    const { server, session, events, read } = await setUp(dialect, {
      reads: false,
      replies: [
        { text: 'Unread words.', toolCalls: [{ id: 'call-1', name: 'book', arguments: '{}' }] },
        { text: 'Heard.' },
      ],
    });
    session.respond(1, withTools);
    session.respond(2, withTools);
    // The second is requested when the first is complete.
    await until(() => eventsOf(server.connections[0], 'response.create').length === 2);
    session.cancel(1);
    const reading = read();
    await until(() => endings(events).length === 2);
    expect(events[0]).toMatchObject({ type: 'response-done', response: 1 });
    await untilSent(server, 'conversation.item.delete');
    const items = () => server.connections[0]?.items.map(({ type, text }) => [type, text]);
    await until(() => items()?.some(([type]) => type === 'function_call_output') === true);
    expect(items()).not.toContainEqual(['message', 'Unread words.']);
    expect(items()).toContainEqual(['message', 'Heard.']);
    session.close();
    await reading;
  });

  it('are cancelled by their id once they have begun, when it was too early before', async () => {
    const { server, session, events } = await setUp(dialect, {
      replies: [{ text: 'Unheard words.' }, { text: 'Heard.' }],
    });
    session.addMessage('system', 'Ready.');
    await untilSent(server, 'conversation.item.create');
    session.respond(1, withTools);
    session.cancel(1);
    session.respond(2, withTools);
    await until(() => endings(events).length === 2);
    expect(endings(events)[0]).toBe('1 cancelled');
    expect(saidIn(events, 1)).toBe('');
    // Unheard audio does not count as said by the model.
    expect(server.connections[0]?.items.map(({ text }) => text)).toEqual(['Ready.', 'Heard.']);
  });

  it.each([
    ['with ids', []],
    ['without ids', ['sparse-ids'] as const],
  ])('are requested again when another one is active: %s', async (_, faults) => {
    const { server, session, events } = await setUp(dialect, {
      faults: ['unasked-response', ...faults],
      replies: [{ text: 'Mine.' }],
    });
    session.respond(1, withTools);
    await until(() => endings(events).length === 1);
    expect(endings(events)).toEqual(['1 completed']);
    expect(saidIn(events, 1)).toMatch(/Mine\.$/);
    expect(server.connections).toHaveLength(1);
  });

  it('fail, and the session continues, when the provider reports it', async () => {
    const { session, events } = await setUp(dialect, {
      replies: [
        { text: 'I was', fails: { type: 'server_error', code: 'server_error' } },
        { fails: { type: 'insufficient_quota', code: 'insufficient_quota' } },
        { text: 'Well.' },
      ],
    });
    for (const response of [1, 2, 3]) session.respond(response, withTools);
    await until(() => endings(events).length === 3);
    expect(ofType(events, 'response-failed').map(({ response, retryable }) => [response, retryable])).toEqual([
      [1, true],
      [2, false],
    ]);
    expect(endings(events)[2]).toBe('3 completed');
  });

  it.each([
    ['rate_limit_exceeded', 'tokens', true],
    ['server_error', 'server_error', true],
    ['invalid_value', 'invalid_request_error', false],
  ])('fail when they are rejected with %s', async (code, type, retryable) => {
    const to = 'response.create';
    const { session, events } = await setUp(dialect, { faults: [{ error: { type, code }, to }] });
    session.respond(1, withTools);
    session.respond(2, withTools);
    await until(() => endings(events).length === 2);
    expect(ofType(events, 'response-failed')[0]).toMatchObject({ response: 1, retryable });
    // The server repeats the key in its message.
    expect(ofType(events, 'response-failed')[0]?.message).not.toContain('rt-key');
    expect(endings(events)[1]).toBe('2 completed');
  });

  it('fail when they contain no speech', async () => {
    const { session, events } = await setUp(dialect, { faults: ['mute'] });
    session.respond(1, withTools);
    await until(() => endings(events).length === 1);
    expect(events.at(-1)).toMatchObject({ type: 'response-failed', response: 1, retryable: true });
  });

  it('fail when they time out, and the next is requested on another connection', async () => {
    const { server, session, events } = await setUp(dialect, { faults: ['hang'], timeoutMs: 100 });
    session.respond(1, withTools);
    session.respond(2, withTools);
    await until(() => endings(events).length === 2);
    expect(endings(events)).toEqual(['1 failed', '2 completed']);
    expect(server.connections).toHaveLength(2);
  });

  it('end when the provider does not respond to a cancel', async () => {
    const clock = new VirtualClock();
    const { server, session, events } = await setUp(dialect, {
      clock,
      faults: [{ ignores: 'response.cancel' }],
      replies: [{ text: 'On and on', holdAfterWords: 1 }],
    });
    session.respond(1, withTools);
    await until(() => audioBytes(events) > 0);
    session.cancel(1);
    await untilSent(server, 'response.cancel');
    await clock.advance(6_000);
    await until(() => endings(events).length === 1);
    expect(endings(events)).toEqual(['1 cancelled']);
  });

  it('end normally when the provider reports that there was nothing to cancel', async () => {
    const code = 'response_cancel_not_active';
    const { session, events } = await setUp(dialect, {
      faults: [{ error: { type: 'invalid_request_error', code }, to: 'response.cancel' }],
      replies: [{ text: 'On and on', holdAfterWords: 1 }],
    });
    session.respond(1, withTools);
    await until(() => audioBytes(events) > 0);
    session.cancel(1);
    await until(() => endings(events).length === 1);
    expect(endings(events)).toEqual(['1 cancelled']);
  });
});

describe('fixed text', () => {
  it('is sent to openai as instructions of one response without tools, which stays in the conversation', async () => {
    const { server, session, events } = await setUp('openai');
    session.respond(1, { withTools: true, say: 'This call is recorded.' });
    await until(() => endings(events).length === 1);
    expect(saidIn(events, 1)).toBe('This call is recorded.');
    const [request] = eventsOf(server.connections[0], 'response.create');
    expect(request?.response).toMatchObject({ conversation: 'auto', tools: [], tool_choice: 'none' });
  });

  it('is spoken by xai verbatim, without its model', async () => {
    const { server, session, events } = await setUp('xai');
    session.respond(1, { withTools: true, say: 'This call is recorded.' });
    await until(() => endings(events).length === 1);
    expect(saidIn(events, 1)).toBe('This call is recorded.');
    expect(eventsOf(server.connections[0], 'conversation.item.create')[0]?.item).toEqual({
      type: 'force_message',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'This call is recorded.' }],
    });
  });
});
