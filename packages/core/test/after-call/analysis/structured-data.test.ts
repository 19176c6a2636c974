import { describe, expect, it } from 'vitest';
import { type Check, structuredData } from '../../../src/after-call/analysis/structured-data.ts';
import { VaError } from '../../../src/errors.ts';

const schema = { type: 'object', required: ['people'] };
const transcript = 'Caller: A table for two.';

/** Asks a model with these replies; the check wants a number of people. */
async function extract(replies: readonly string[], check: Check = wantsPeople) {
  const asked: string[] = [];
  const ask = async (messages: readonly { readonly role: string; readonly content: string }[]): Promise<string> => {
    asked.push(messages.map(({ role, content }) => `${role}: ${content}`).join('\n'));
    return replies[asked.length - 1] ?? '';
  };
  const result = await structuredData({ schema, messages: [] }, transcript, { ask, check }).then(
    (data) => ({ data }),
    (error: VaError) => ({ error }),
  );
  return { asked, ...result };
}

const wantsPeople: Check = async (_schema, value) =>
  typeof value === 'object' && value !== null && 'people' in value ? [] : ['people is missing'];

describe('structuredData', () => {
  it.each([
    ['an object', '{"people": 2}'],
    ['an object in a code fence', '```json\n{"people": 2}\n```'],
    ['an object between sentences', 'Here it is: {"people": 2} — as you wished.'],
    ['nested objects', '{"people": 2, "table": {"at": {"n": 1}}}'],
  ])('reads %s', async (_case, reply) => {
    const { asked, ...result } = await extract([reply]);
    expect(result).toMatchObject({ data: { people: 2 } });
    expect(asked).toHaveLength(1);
  });

  it.each([
    ['text', 'I do not know.'],
    ['a list', '[1, 2]'],
    ['an object that is cut off', '{"people": 2'],
    ['two objects', '{"people": 2} {"people": 3}'],
    ['nothing', ''],
  ])('asks again after %s', async (_case, reply) => {
    const { asked, ...result } = await extract([reply, '{"people": 2}']);
    expect(result).toEqual({ data: { people: 2 } });
    expect(asked[1]).toContain('- the answer is not a JSON object');
  });

  it('returns the faults to the model with its reply', async () => {
    const { asked } = await extract(['{"guests": 2}', '{"people": 2}']);
    expect(asked[1]).toBe(
      `${asked[0]}\nassistant: {"guests": 2}\nuser: That does not fit:\n- people is missing\n` +
        'Answer with the corrected JSON object alone.',
    );
  });

  it('asks twice at most', async () => {
    const { asked, ...result } = await extract(['{}', '{}', '{"people": 2}']);
    expect(result).toMatchObject({ error: { code: 'invalid_answer' } });
    expect(result).toMatchObject({ error: { message: expect.stringContaining('people is missing') } });
    expect(asked).toHaveLength(2);
  });

  it('does not ask the model with a schema that cannot be checked', async () => {
    const { asked, ...result } = await extract(['{"people": 2}'], async () => {
      throw new VaError('invalid_schema', 'unknown keyword');
    });
    expect(result).toMatchObject({ error: { code: 'invalid_schema' } });
    expect(asked).toEqual([]);
  });
});
