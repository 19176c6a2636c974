import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toolResults } from '../../../src/calls/webhooks/tool-answer.ts';

const one = [{ id: 'a' }];
const two = [{ id: 'a' }, { id: 'b' }];

describe('toolResults', () => {
  it('assigns each result of a list to its tool call', () => {
    const body = {
      results: [
        { toolCallId: 'b', result: { free: ['10:00'] } },
        { toolCallId: 'a', result: 7 },
      ],
    };
    expect([...toolResults(body, two)]).toEqual([
      ['a', { ok: true, result: 7 }],
      ['b', { ok: true, result: { free: ['10:00'] } }],
    ]);
  });

  it('fails only the tool call that a list omits', () => {
    const answers = toolResults({ results: [{ toolCallId: 'b', result: 1 }] }, two);
    expect(answers.get('a')).toMatchObject({ ok: false });
    expect(answers.get('b')).toEqual({ ok: true, result: 1 });
  });

  it('accepts an error for a single tool call in a list', () => {
    const body = { results: [{ toolCallId: 'a', error: 'fully booked' }, { toolCallId: 'b' }] };
    const answers = toolResults(body, two);
    expect(answers.get('a')).toEqual({ ok: false, error: 'fully booked' });
    expect(answers.get('b')).toEqual({ ok: true, result: null });
  });

  it('uses the first of two results for one tool call, and ignores unknown ids and malformed entries', () => {
    const body = {
      results: [
        null,
        5,
        [],
        { toolCallId: 3 },
        { toolCallId: 'a', result: 1 },
        { toolCallId: 'a', result: 2 },
        { toolCallId: 'z' },
      ],
    };
    expect([...toolResults(body, one)]).toEqual([['a', { ok: true, result: 1 }]]);
  });

  it('applies a single result to every tool call', () => {
    const answers = toolResults({ result: { ok: 1 } }, two);
    expect(answers.get('a')).toEqual({ ok: true, result: { ok: 1 } });
    expect(answers.get('b')).toEqual({ ok: true, result: { ok: 1 } });
  });

  it.each([
    ['an object', { temperature: 21 }],
    ['a list', [1, 2]],
    ['a text', 'sunny'],
    ['a number', 0],
    ['nothing', {}],
    ['results of its own', { results: [{ title: 'first hit' }] }],
    ['an empty search', { results: [] }],
    ['an error that is no text', { error: null, temperature: 21 }],
  ])('uses %s as the result itself', (_name, body) => {
    expect(toolResults(body, one).get('a')).toEqual({ ok: true, result: body });
  });

  it('applies a single error to every tool call', () => {
    const answers = toolResults({ error: 'database is down' }, two);
    expect([...answers.values()]).toEqual([
      { ok: false, error: 'database is down' },
      { ok: false, error: 'database is down' },
    ]);
  });

  it('returns exactly one result for each tool call, whatever the body is', () => {
    const body = fc.oneof(fc.anything(), fc.record({ results: fc.array(fc.record({ toolCallId: fc.anything() })) }));
    fc.assert(
      fc.property(body, (value) => {
        expect([...toolResults(value, two).keys()]).toEqual(['a', 'b']);
      }),
    );
  });
});
