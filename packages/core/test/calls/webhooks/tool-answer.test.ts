import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toolResults } from '../../../src/calls/webhooks/tool-answer.ts';

const one = [{ id: 'a' }];
const two = [{ id: 'a' }, { id: 'b' }];

describe('the answer to a tool-calls webhook', () => {
  it('takes each result of a list to its call', () => {
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

  it('fails the call that a list leaves out, and no other', () => {
    const answers = toolResults({ results: [{ toolCallId: 'b', result: 1 }] }, two);
    expect(answers.get('a')).toMatchObject({ ok: false });
    expect(answers.get('b')).toEqual({ ok: true, result: 1 });
  });

  it('takes an error of a single call in a list', () => {
    const body = { results: [{ toolCallId: 'a', error: 'fully booked' }, { toolCallId: 'b' }] };
    const answers = toolResults(body, two);
    expect(answers.get('a')).toEqual({ ok: false, error: 'fully booked' });
    expect(answers.get('b')).toEqual({ ok: true, result: null });
  });

  it('keeps to the first of two answers, ignores calls it never asked for, and survives junk between them', () => {
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

  it('takes the simple form for every call asked', () => {
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
  ])('takes %s as the result itself', (_name, body) => {
    expect(toolResults(body, one).get('a')).toEqual({ ok: true, result: body });
  });

  it('takes the error form for every call asked', () => {
    const answers = toolResults({ error: 'database is down' }, two);
    expect([...answers.values()]).toEqual([
      { ok: false, error: 'database is down' },
      { ok: false, error: 'database is down' },
    ]);
  });

  it('answers each call exactly once, whatever the body is', () => {
    const body = fc.oneof(fc.anything(), fc.record({ results: fc.array(fc.record({ toolCallId: fc.anything() })) }));
    fc.assert(
      fc.property(body, (value) => {
        expect([...toolResults(value, two).keys()]).toEqual(['a', 'b']);
      }),
    );
  });
});
