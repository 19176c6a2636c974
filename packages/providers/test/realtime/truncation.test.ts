import { describe, expect, it } from 'vitest';
import { until } from '../options.ts';
import { audioBytes, dialects, endings, eventsOf, ofType, setUp, untilSent } from './support.ts';

const withTools = { withTools: true };

describe.each(dialects)('interrupted item of %s', (dialect) => {
  it('ends for the model at the point that the caller heard', async () => {
    const { server, session, events } = await setUp(dialect, {
      replies: [{ text: 'One two three four.', holdAfterWords: 2 }],
    });
    session.respond(1, withTools);
    await until(() => audioBytes(events) === 8 * 40 * 8);
    session.cancel(1);
    const item = ofType(events, 'audio')[0]?.item ?? '';
    session.truncate(item, 130.7);
    await untilSent(server, 'conversation.item.truncate');
    expect(eventsOf(server.connections[0], 'conversation.item.truncate')[0]).toMatchObject({
      item_id: item,
      content_index: 0,
      audio_end_ms: 130,
    });
  });

  it('never ends beyond its received audio', async () => {
    const { server, session, events } = await setUp(dialect, { replies: [{ text: 'One two.' }] });
    session.respond(1, withTools);
    await until(() => endings(events).length === 1);
    session.truncate(ofType(events, 'audio')[0]?.item ?? '', 99_999);
    session.truncate('an item that nobody knows', 10);
    await untilSent(server, 'conversation.item.truncate');
    expect(eventsOf(server.connections[0], 'conversation.item.truncate').map((event) => event.audio_end_ms)).toEqual([
      320,
    ]);
  });

  it.each([
    ['has no audio yet', 'mute', 0],
    ['was not heard', 'sparse-ids', 0],
    ['was heard for less than nothing', 'sparse-ids', -5],
  ] as const)(
    'is deleted when it %s, so that the model does not assume that it was said',
    async (_, fault, heardMs) => {
      const { server, session, events } = await setUp(dialect, {
        replies: [{ text: 'One two three four.', holdAfterWords: 2 }, { text: 'Yes?' }],
        faults: [fault],
      });
      session.respond(1, withTools);
      await until(() => ofType(events, 'text').length === 2);
      const item = ofType(events, 'text')[0]?.item ?? '';
      session.cancel(1);
      session.truncate(item, heardMs);
      await untilSent(server, 'conversation.item.delete');
      await until(() => endings(events).length === 1);
      const [connection] = server.connections;
      expect(eventsOf(connection, 'conversation.item.delete')).toMatchObject([{ item_id: item }]);
      expect(eventsOf(connection, 'conversation.item.truncate')).toEqual([]);
      expect(connection?.items).toEqual([]);
      server.cutConnections();
      await until(() => server.connections.length === 2);
      session.respond(2, withTools);
      await until(() => endings(events).length === 2);
      expect(server.connections[1]?.items.map(({ text }) => text)).toEqual(['Yes?']);
    },
  );

  it('is sent to the next connection truncated to what the caller heard', async () => {
    const { server, session, events } = await setUp(dialect, {
      replies: [{ text: 'Ten and ten and ten.', holdAfterWords: 4 }, { text: 'Yes?' }],
    });
    session.respond(1, withTools);
    await until(() => audioBytes(events) === 16 * 40 * 8);
    session.cancel(1);
    session.truncate(ofType(events, 'audio')[0]?.item ?? '', 320);
    await until(() => endings(events).length === 1);
    server.cutConnections();
    await until(() => server.connections.length === 2);
    session.respond(2, withTools);
    await until(() => endings(events).length === 2);
    expect(server.connections[1]?.items.map(({ text }) => text)).toEqual(['Ten and', 'Yes?']);
  });
});
