// @vitest-environment happy-dom
import type { CallEvent } from '@va/client';
import { sampleCall } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { lineAt, toTimeline } from '../../../src/app/pages/call/timeline/timeline.ts';

const call = sampleCall({
  answered_at: '2026-01-01T12:00:00.000Z',
  messages: [{ role: 'assistant', content: 'stored' }],
});
let seq = 0;
function event(type: CallEvent['type'], atMs: number, data: object): CallEvent {
  seq += 1;
  const at = new Date(Date.parse('2026-01-01T12:00:00.000Z') + atMs).toISOString();
  return { id: String(seq), type, call_id: call.id, at, data } as CallEvent;
}
const said = (role: string, content: string, atMs: number, rest: object = {}): CallEvent =>
  event('transcript', atMs, { role, content, ...(role === 'assistant' && { interrupted: false }), ...rest });

describe('toTimeline', () => {
  it('dates lines from the end of the previous one, never backwards', () => {
    const lines = toTimeline(call, [said('assistant', 'A', 1_000), said('user', 'B', 800), said('user', 'C', 3_000)]);
    expect(lines.map((line) => line.type === 'line' && [line.text, line.fromMs, line.toMs])).toEqual([
      ['A', 0, 1_000],
      ['B', 1_000, 1_000],
      ['C', 1_000, 3_000],
    ]);
  });

  it('shows the messages of a call whose events were erased', () => {
    expect(toTimeline(call, [])).toMatchObject([{ type: 'line', text: 'stored', fromMs: null, toMs: null }]);
    expect(toTimeline(call, [event('dtmf', 5, { digit: '1' })])).toMatchObject([{ text: 'stored' }]);
  });

  it('keeps the unheard rest of an interrupted reply', () => {
    const [line] = toTimeline(call, [said('assistant', 'We', 9, { interrupted: true, unheard: 'open at six' })]);
    expect(line).toMatchObject({ isInterrupted: true, unheard: 'open at six' });
  });

  it('assigns results to tool calls whose id a model repeats', () => {
    const ask = (name: string): CallEvent => event('tool-call', 0, { id: 'call_0', name, arguments: {} });
    const result = (value: string): CallEvent => event('tool-result', 0, { id: 'call_0', ok: true, result: value });
    const items = toTimeline(call, [
      said('user', 'Hi', 1),
      ...[ask('one'), result('first'), ask('two'), result('second'), ask('three')],
    ]);
    const tools = items.flatMap((item) => (item.type === 'tool' ? [[item.name, item.result]] : []));
    expect(tools).toEqual([
      ['one', expect.objectContaining({ result: 'first' })],
      ['two', expect.objectContaining({ result: 'second' })],
      ['three', null],
    ]);
  });

  it('ignores unknown events and results without a tool call', () => {
    const items = toTimeline(call, [
      said('user', 'Hi', 1),
      event('tool-result', 2, { id: 'x', ok: true, result: 1 }),
      event('later-type' as CallEvent['type'], 3, {}),
    ]);
    expect(items).toHaveLength(1);
  });
});

it('lineAt › finds the line that is spoken, and none before the first', () => {
  const items = toTimeline(call, [
    said('user', 'A', 1_000),
    event('dtmf', 1_500, { digit: '1' }),
    said('user', 'B', 2_000),
  ]);
  expect([-1, 0, 999, 1_000, 9_999].map((ms) => lineAt(items, ms))).toEqual([null, 0, 0, 2, 2]);
});
