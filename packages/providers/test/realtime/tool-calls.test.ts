import { describe, expect, it } from 'vitest';
import { until } from '../options.ts';
import { dialects, endings, eventsOf, ofType, setUp, untilSent } from './support.ts';

const withTools = { withTools: true };
const call = { id: 'call-1', name: 'book', arguments: '{"guests":4,"name":"Smit"}' };

describe.each(dialects)('tool calls with %s', (dialect) => {
  it('are emitted once each, when their arguments are complete', async () => {
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

  it('are answered with the unchanged output', async () => {
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

  it('are not emitted when their response is cancelled before their arguments are complete', async () => {
    const { server, session, events } = await setUp(dialect, {
      replies: [{ toolCalls: [call], holdAfterWords: 0 }, { text: 'Right.' }],
    });
    session.respond(1, withTools);
    await until(() => (server.connections[0]?.items.length ?? 0) > 0);
    // The second half of the arguments is held; the finished part of the call is then not JSON.
    session.cancel(1);
    session.respond(2, withTools);
    await until(() => endings(events).length === 2);
    expect(ofType(events, 'tool-call')).toEqual([]);
    // The model would wait for a call without a result.
    expect(server.connections[0]?.items.map(({ type }) => type)).toEqual(['message']);
  });

  it('get a result when their response may not use tools', async () => {
    const { server, session, events } = await setUp(dialect, { replies: [{ text: 'Hm.', toolCalls: [call] }] });
    session.respond(1, { withTools: false });
    await until(() => endings(events).length === 1);
    await untilSent(server, 'conversation.item.create');
    expect(ofType(events, 'tool-call')).toEqual([]);
    expect(eventsOf(server.connections[0], 'response.create')[0]?.response).toEqual({ tools: [], tool_choice: 'none' });
    expect(eventsOf(server.connections[0], 'conversation.item.create')[0]?.item).toMatchObject({ call_id: 'call-1' });
  });
});
