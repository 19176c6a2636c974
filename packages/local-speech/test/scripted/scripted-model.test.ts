import { type ChatMessage, type LlmEvent, ProviderError } from '@va/core/adapter';
import { scriptedModel } from '@va/local-speech';
import { describe, expect, it } from 'vitest';
import { collect, common } from '../options.ts';

const rules = [
  { when: 'good morning', say: 'Good morning to you.', once: true },
  {
    when: 'table for (?<people>\\w+)',
    say: 'One moment.',
    call: { tool: 'book_table', arguments: { people: '$<people>', guest: { name: 'for $1' }, tags: ['$1', 3] } },
    thenSay: 'Your table for $<people> is number {{result.table.number}}.',
  },
  { when: 'which number', say: 'Number {{toolResult.table.number}}.' },
  { when: 'cancel', call: { tool: 'cancel' }, thenSay: 'Cancelled. Goodbye.', endCall: true },
  { when: 'goodbye', say: 'Goodbye!', endCall: true },
  { when: 'morning', say: 'Hello again.' },
];

const user = (content: string): ChatMessage => ({ role: 'user', content });

function run(messages: ChatMessage[], extra: object = {}, signal?: AbortSignal): Promise<LlmEvent[]> {
  const config = { provider: 'scripted', messages: [], tools: [], rules, ...extra };
  return collect(scriptedModel().stream({ ...common(signal), config, messages, tools: [] }));
}

const textOf = (events: LlmEvent[]) => events.map((event) => (event.type === 'text' ? event.text : '')).join('');
const callsOf = (events: LlmEvent[]) => events.flatMap((event) => (event.type === 'tool-call' ? [event.call] : []));

/** The conversation after `said`, with the tool's result. */
async function withAnswer(said: string, answer: string): Promise<ChatMessage[]> {
  const toolCalls = callsOf(await run([user(said)]));
  const outputs = toolCalls.map(({ id }): ChatMessage => ({ role: 'tool', toolCallId: id, content: answer }));
  return [user(said), { role: 'assistant', content: 'One moment.', toolCalls }, ...outputs];
}

describe('scripted model', () => {
  it('replies by the first matching rule, word by word and case-insensitively', async () => {
    const events = await run([user('GOOD MORNING')]);
    expect(events).toHaveLength(4);
    expect(textOf(events)).toBe('Good morning to you.');
  });

  it('calls a tool with arguments from the match', async () => {
    const events = await run([user('I want a table for four please')]);
    expect(textOf(events)).toBe('One moment.');
    const [call] = callsOf(events);
    expect(call?.name).toBe('book_table');
    expect(JSON.parse(call?.arguments ?? '')).toEqual({
      people: 'four',
      guest: { name: 'for four' },
      tags: ['four', 3],
    });
  });

  it('gives every tool call a unique id', async () => {
    const first = callsOf(await run([user('table for two')]));
    const second = callsOf(await run([user('table for two')]));
    expect(first[0]?.id).not.toBe(second[0]?.id);
  });

  it('speaks the result of the tool, at once and later', async () => {
    const messages = await withAnswer('a table for two', '{"table":{"number":17}}');
    expect(textOf(await run(messages))).toBe('Your table for two is number 17.');
    expect(textOf(await run([...messages, user('which number was it')]))).toBe('Number 17.');
  });

  it('omits a value that the result does not have, such as when it is not JSON', async () => {
    expect(textOf(await run(await withAnswer('a table for two', 'all full')))).toBe('Your table for two is number .');
  });

  it('ends the call after its words, or after the result of the tool', async () => {
    expect(callsOf(await run([user('goodbye')])).map(({ name }) => name)).toEqual(['endCall']);
    expect(callsOf(await run([user('cancel it')])).map(({ name }) => name)).toEqual(['cancel']);
    const cancelled = await withAnswer('cancel it', 'ok');
    const farewell = await run(cancelled);
    expect(textOf(farewell)).toBe('Cancelled. Goodbye.');
    const toolCalls = callsOf(farewell);
    expect(toolCalls.map(({ name }) => name)).toEqual(['endCall']);
    const ended = toolCalls.map(({ id }): ChatMessage => ({ role: 'tool', toolCallId: id, content: 'ending' }));
    expect(await run([...cancelled, { role: 'assistant', content: '', toolCalls }, ...ended])).toEqual([]);
  });

  it('uses a rule marked once only once', async () => {
    const again = [user('good morning'), { role: 'assistant' as const, content: 'Hi.' }, user('good morning')];
    expect(textOf(await run(again))).toBe('Hello again.');
  });

  it('says the fallback when no rule matches', async () => {
    expect(textOf(await run([user('purple')]))).toBe('Sorry, I did not understand that.');
    expect(textOf(await run([user('purple')], { fallback: 'Pardon?' }))).toBe('Pardon?');
  });

  it('says the fallback when a pattern exceeds its deadline', async () => {
    const hostile = { rules: [{ when: '^(a+)+$', say: 'No.' }], fallback: 'Pardon?' };
    expect(textOf(await run([user(`${'a'.repeat(60)}!`)], hostile))).toBe('Pardon?');
  });

  it.each([
    ['a pattern of 501 characters', [{ when: 'a'.repeat(501), say: 'No.' }]],
    ['201 rules', Array.from({ length: 201 }, () => ({ when: 'a', say: 'No.' }))],
  ])('rejects %s', async (_, many) => {
    await expect(run([user('a')], { rules: many })).rejects.toThrow(ProviderError);
  });

  it('stops when the reply is aborted', async () => {
    const reply = new AbortController();
    reply.abort();
    expect(await run([user('good morning')], {}, reply.signal)).toEqual([]);
  });

  it.each([
    ['no rules', { rules: undefined }, /rules/],
    ['a pattern that is none', { rules: [{ when: '(', say: 'x' }] }, /regular expression/],
    ['a rule that does nothing', { rules: [{ when: 'x' }] }, /says and does nothing/],
    ['a misspelt key', { rules: [{ when: 'x', says: 'y' }] }, /says/],
  ])('rejects %s', async (_, extra, message) => {
    const refused = run([user('hello')], extra);
    await expect(refused).rejects.toThrow(ProviderError);
    await expect(refused).rejects.toThrow(message);
  });
});
