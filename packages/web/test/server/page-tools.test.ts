import type { DisplayedToolCall } from '@va/core/adapter';
import { expect, it } from 'vitest';
import type { DownMessage } from '../../src/protocol/messages.ts';
import { PageTools } from '../../src/server/page-tools.ts';

const call = { id: 'a', name: 'book', arguments: { size: 2 } } as unknown as DisplayedToolCall;

function page(): { tools: PageTools; sent: DownMessage[] } {
  const sent: DownMessage[] = [];
  return { tools: new PageTools((message) => sent.push(message)), sent };
}

it('a tool of the page › gets its arguments and settles once', async () => {
  const { tools, sent } = page();
  const outcome = tools.run(call, new AbortController().signal);
  tools.settle('other', { ok: true, result: 0 });
  tools.settle('a', { ok: true, result: 1 });
  tools.settle('a', { ok: false, error: 'late' });
  expect(await outcome).toEqual({ ok: true, result: 1 });
  expect(sent).toEqual([{ type: 'tool-call', id: 'a', name: 'book', arguments: { size: 2 } }]);
});

it.each(['before', 'while'])(
  'a tool of the page › is canceled once by a signal that aborts %s it runs',
  async (when) => {
    const { tools, sent } = page();
    const leaving = new AbortController();
    if (when === 'before') leaving.abort();
    const outcome = tools.run(call, leaving.signal);
    leaving.abort();
    expect(await outcome).toMatchObject({ ok: false });
    expect(sent.map(({ type }) => type)).toEqual(['tool-call', 'tool-canceled']);
  },
);

it('a tool of the page › is not canceled after its result', async () => {
  const { tools, sent } = page();
  const leaving = new AbortController();
  const outcome = tools.run(call, leaving.signal);
  tools.settle('a', { ok: true, result: 1 });
  leaving.abort();
  await outcome;
  expect(sent).toHaveLength(1);
});

it('a tool of the page › fails when the page disconnects', async () => {
  const { tools } = page();
  const { signal } = new AbortController();
  const outcomes = [tools.run(call, signal), tools.run({ ...call, id: 'b' }, signal)];
  tools.abandon();
  tools.abandon();
  for (const outcome of await Promise.all(outcomes)) expect(outcome).toMatchObject({ ok: false });
});

it('a tool of the page › keeps the result of its own call if a model repeats the id', async () => {
  const { tools } = page();
  const { signal } = new AbortController();
  const [first, second] = [tools.run(call, signal), tools.run(call, signal)];
  tools.settle('a', { ok: true, result: 1 });
  expect(await second).toEqual({ ok: true, result: 1 });
  expect(await first).toMatchObject({ ok: false });
});
