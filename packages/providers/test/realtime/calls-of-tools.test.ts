import { describe, expect, it } from 'vitest';
import { until } from '../options.ts';
import { dialects, endings, eventsOf, ofType, setUp, untilSent } from './support.ts';

const withTools = { withTools: true };
const call = { id: 'call-1', name: 'book', arguments: '{"guests":4,"name":"Smit"}' };

describe.each(dialects)('calls of tools with %s', (dialect) => {
  it('are told once each, when their arguments are whole', async () => {
    const other = { id: 'call-2', name: 'book', arguments: '' };
    const { session, events } = await setUp(dialect, {
      replies: [{ text: 'One moment.', toolCalls: [call, other] }],
    });
    session.respond(1, withTools);
    await until(() => endings(events).length === 1);
    expect(ofType(events, 'tool-call')).toEqual([
      { type: 'tool-call', response: 1, call },
      { type: 'tool-call', response: 1, call: { ...other, arguments: '{}' } },
    ]);
    expect(endings(events)).toEqual(['1 completed']);
  });

  it('are answered with the output as it is', async () => {
    const { server, session, events } = await setUp(dialect, {
      replies: [{ toolCalls: [call] }, { text: 'Booked.' }],
    });
    session.respond(1, withTools);
    await until(() => endings(events).length === 1);
    session.addToolResult('call-1', '{"table":7}');
    session.respond(2, withTools);
    await until(() => endings(events).length === 2);
    expect(eventsOf(server.connections[0], 'conversation.item.create')[0]?.item).toEqual({
      type: 'function_call_output',
      call_id: 'call-1',
      output: '{"table":7}',
    });
    expect(endings(events)).toEqual(['1 completed', '2 completed']);
  });

  it('are not told when their response is cancelled before their arguments are whole', async () => {
    const { server, session, events } = await setUp(dialect, {
      replies: [{ toolCalls: [call], holdAfterWords: 0 }, { text: 'Right.' }],
    });
    session.respond(1, withTools);
    await until(() => (server.connections[0]?.items.length ?? 0) > 0);
    // The second half of the arguments waits; what is done of the call then is not JSON.
    session.cancel(1);
    session.respond(2, withTools);
    await until(() => endings(events).length === 2);
    expect(ofType(events, 'tool-call')).toEqual([]);
    // A call without an answer would be waited for.
    expect(server.connections[0]?.items.map(({ type }) => type)).toEqual(['message']);
  });

  it('are answered for it when a response was to have none', async () => {
    const { server, session, events } = await setUp(dialect, { replies: [{ text: 'Hm.', toolCalls: [call] }] });
    session.respond(1, { withTools: false });
    await until(() => endings(events).length === 1);
    await untilSent(server, 'conversation.item.create');
    expect(ofType(events, 'tool-call')).toEqual([]);
    expect(eventsOf(server.connections[0], 'response.create')[0]?.response).toEqual({ tools: [], tool_choice: 'none' });
    expect(eventsOf(server.connections[0], 'conversation.item.create')[0]?.item).toMatchObject({ call_id: 'call-1' });
  });
});
