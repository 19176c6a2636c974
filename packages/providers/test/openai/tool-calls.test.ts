import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import { describe, expect, it } from 'vitest';
import { ToolCallAssembly } from '../../src/openai/tool-calls.ts';

type Delta = ChatCompletionChunk.Choice.Delta.ToolCall;

function assembled(...deltas: Delta[]) {
  const assembly = new ToolCallAssembly();
  for (const delta of deltas) assembly.add(delta);
  return assembly.take().map(({ id, name, arguments: args }) => [id, name, args]);
}

const delta = (index: number, id: string | undefined, name: string | undefined, args?: string) =>
  ({
    index,
    ...(id !== undefined && { id }),
    function: { ...(name !== undefined && { name }), ...(args !== undefined && { arguments: args }) },
  }) as Delta;

describe('ToolCallAssembly', () => {
  it('joins the arguments of a call', () => {
    expect(
      assembled(delta(0, 'a', 'book', ''), delta(0, undefined, undefined, '{"n"'), delta(0, '', '', ':1}')),
    ).toEqual([['a', 'book', '{"n":1}']]);
  });

  it('returns interleaved calls in the order of their indexes', () => {
    expect(
      assembled(
        delta(1, 'b', 'cancel', '{'),
        delta(0, 'a', 'book', '{'),
        delta(1, undefined, undefined, '}'),
        delta(0, undefined, undefined, '}'),
      ),
    ).toEqual([
      ['a', 'book', '{}'],
      ['b', 'cancel', '{}'],
    ]);
  });

  it.each([0, undefined])('separates calls by their ids when the service gives all the index %s', (index) => {
    const at = index as number;
    expect(assembled(delta(at, 'a', 'book', '{"n":1}'), delta(at, 'b', 'book', '{"n":2}'))).toEqual([
      ['a', 'book', '{"n":1}'],
      ['b', 'book', '{"n":2}'],
    ]);
  });

  it('keeps one call when the service repeats its id and name in each chunk', () => {
    expect(assembled(delta(0, 'a', 'book', '{"n"'), delta(0, 'a', 'book', ':1}'))).toEqual([['a', 'book', '{"n":1}']]);
  });

  it('keeps one call when the service gives each chunk an id of its own, and a name only the first', () => {
    expect(assembled(delta(0, 'a', 'book', '{"n"'), delta(0, 'x', undefined, ':1}'))).toEqual([
      ['a', 'book', '{"n":1}'],
    ]);
  });

  it('ignores fields that are null', () => {
    const nulls = { index: null, id: null, function: { name: null, arguments: null } } as unknown as Delta;
    expect(assembled(delta(0, 'a', 'book', '{}'), nulls, { index: 0 } as Delta)).toEqual([['a', 'book', '{}']]);
  });

  it('returns each call once', () => {
    const assembly = new ToolCallAssembly();
    assembly.add(delta(0, 'a', 'book', '{}'));
    expect(assembly.take()).toHaveLength(1);
    expect(assembly.take()).toEqual([]);
  });
});
