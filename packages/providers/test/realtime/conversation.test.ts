import { describe, expect, it } from 'vitest';
import { Conversation, itemOf } from '../../src/realtime/conversation.ts';

const call = { id: 'a', name: 'book', arguments: '{}' };

/** Creates a conversation with a limit of tokens; a text has about one token per four characters. */
const limited = (max_tokens: number) => new Conversation([], { context: { max_tokens, strategy: 'drop' } as never });

const textsOf = (conversation: Conversation) =>
  conversation.entries.map((entry) => ('text' in entry ? entry.text : entry.kind));

describe('Conversation', () => {
  it('begins with the history, with the calls of a message after its text', () => {
    const conversation = new Conversation([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Two, please.' },
      { role: 'assistant', content: 'One moment.', toolCalls: [call] },
      { role: 'tool', toolCallId: 'a', content: 'done' },
    ]);
    expect(conversation.entries.map(({ kind }) => kind)).toEqual(['message', 'message', 'message', 'call', 'output']);
  });

  it('drops an output whose call is not kept', () => {
    const conversation = new Conversation([{ role: 'tool', toolCallId: 'a', content: 'done' }]);
    expect(conversation.entries).toEqual([]);
    conversation.addCall(call);
    conversation.addOutput('a', 'done');
    expect(conversation.entries.map(({ kind }) => kind)).toEqual(['call', 'output']);
  });

  it('keeps the newest 100 entries, and all instructions', () => {
    const conversation = new Conversation([]);
    conversation.addMessage('system', 'Be brief.');
    for (let at = 0; at < 150; at++) conversation.addMessage(at % 2 === 0 ? 'user' : 'assistant', `${at}`);
    conversation.addMessage('system', 'Be polite.');
    const texts = textsOf(conversation);
    expect(texts).toHaveLength(102);
    expect(texts.slice(0, 2)).toEqual(['Be brief.', '50']);
    expect(texts.at(-1)).toBe('Be polite.');
  });

  it('keeps the entries within the limit of tokens', () => {
    const conversation = limited(50);
    for (let at = 0; at < 10; at++) conversation.addMessage('user', `${at}`.repeat(80));
    const texts = textsOf(conversation);
    expect(texts.length).toBeGreaterThan(0);
    expect(texts.length).toBeLessThan(10);
    expect(texts.at(-1)).toBe('9'.repeat(80));
  });

  it("keeps the caller's last words beyond the limit, and what follows them", () => {
    const conversation = limited(10);
    conversation.addMessage('user', 'a'.repeat(400));
    conversation.addMessage('user', 'b'.repeat(400));
    conversation.addMessage('assistant', 'c'.repeat(400));
    expect(textsOf(conversation)).toEqual(['b'.repeat(400), 'c'.repeat(400)]);
  });

  it('includes the text of a turn once it is transcribed', () => {
    const conversation = new Conversation([]);
    const turn = conversation.addTurn(1, [new Uint8Array(160)]);
    expect(textsOf(conversation)).toEqual([undefined]);
    turn.text = 'Yes.';
    expect(textsOf(conversation)).toEqual(['Yes.']);
  });
});

describe('itemOf', () => {
  it.each([
    [
      { kind: 'message', role: 'assistant', text: 'Good day.' },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Good day.' }] },
    ],
    [
      { kind: 'turn', turn: 1, audio: [], text: 'Yes.' },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Yes.' }] },
    ],
    [
      { kind: 'call', call },
      { type: 'function_call', call_id: 'a', name: 'book', arguments: '{}' },
    ],
    [
      { kind: 'output', callId: 'a', output: '' },
      { type: 'function_call_output', call_id: 'a', output: '' },
    ],
    [{ kind: 'message', role: 'user', text: ' \n' }, undefined],
    [{ kind: 'turn', turn: 1, audio: [], text: undefined }, undefined],
  ] as const)('converts %j', (entry, item) => {
    expect(itemOf(entry)).toEqual(item);
  });
});
