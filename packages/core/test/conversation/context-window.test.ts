import {
  calling,
  type ScriptedLlm,
  type ScriptedReply,
  ScriptedWebhooks,
  saying,
  scriptedLlm,
  scriptedStt,
} from '@va/testkit';
import { describe, expect, it } from 'vitest';
import type { ChatMessage } from '../../src/ports/providers/language-model.ts';
import type { PhoneCall } from '../support/phone-call.ts';
import { phoneCalls } from '../support/phone-calls.ts';

const { ring } = phoneCalls();

/** About 110 tokens per turn, with a number that identifies the turn. */
const longTurn = (turn: number): string =>
  `This is turn number ${turn}. ${'I have a lot to tell you about it. '.repeat(12)}`.trim();
const turns = Array.from({ length: 12 }, (_, turn) => longTurn(turn));

function isSummary({ messages }: { readonly messages: readonly ChatMessage[] }): boolean {
  return messages[0]?.content.startsWith('You keep the notes') ?? false;
}

/** A model with a fixed short reply and a scripted summary. */
function noting(summary: () => ScriptedReply, reply: ScriptedReply = saying('I see.')): ScriptedLlm {
  return scriptedLlm((request) => (isSummary(request) ? summary() : reply));
}

async function talk(
  options: {
    llm: ScriptedLlm;
    context?: Record<string, unknown>;
    tools?: unknown[];
    webhooks?: ScriptedWebhooks;
  },
  count: number,
): Promise<PhoneCall> {
  const { llm, context = {}, tools = [], webhooks } = options;
  const call = await ring({
    llm,
    stt: scriptedStt({ turns }),
    ...(webhooks === undefined ? {} : { webhooks }),
    agent: {
      llm_config: {
        provider: 'scripted',
        messages: [{ role: 'system', content: 'Be brief.' }],
        tools,
        context: { max_tokens: 600, keep_last_turns: 2, ...context },
      },
      speech_config: { preemptive: { enabled: false } },
    },
  });
  await more(call, count);
  return call;
}

async function more(call: PhoneCall, count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) {
    await call.speak(400);
    await call.quiet(2_500);
  }
}

function replies(llm: ScriptedLlm): ScriptedLlm['requests'] {
  return llm.requests.filter((request) => !isSummary(request));
}

function turnsIn(messages: readonly ChatMessage[]): number[] {
  return messages.flatMap(({ role, content }) => {
    const turn = /^This is turn number (\d+)\./.exec(content)?.[1];
    return role === 'user' && turn !== undefined ? [Number(turn)] : [];
  });
}

function estimate(messages: readonly ChatMessage[]): number {
  return messages.reduce((sum, { content }) => sum + content.length / 4, 0);
}

describe('a conversation that exceeds its token budget', () => {
  it('summarizes all but its last turns, and continues with the summary', async () => {
    const llm = noting(() => saying('The caller is Jan and tells a lot.'));
    const call = await talk({ llm }, 6);
    const summaries = llm.requests.filter(isSummary);
    expect(summaries.length).toBeGreaterThan(0);
    // The fourth turn exceeds 75 % of 600 tokens, so the first two turns are summarized.
    const [summary] = summaries;
    expect(summary?.tools).toEqual([]);
    expect(summary?.messages[1]?.content).toBe(
      ['The call:', `Caller: ${turns[0]}`, 'Agent: I see.', `Caller: ${turns[1]}`, 'Agent: I see.'].join('\n'),
    );
    const next = replies(llm)[4]?.messages ?? [];
    expect(next[0]).toEqual({ role: 'system', content: 'Be brief.' });
    expect(next[1]).toEqual({
      role: 'system',
      content: 'The conversation before this, in short:\nThe caller is Jan and tells a lot.',
    });
    expect(turnsIn(next)).toEqual([2, 3, 4]);
    call.incoming.leave();
    await call.quiet(40);
    const { messages } = await call.stored();
    expect(messages.filter(({ role }) => role === 'user').map(({ content }) => content)).toEqual(turns.slice(0, 6));
    expect(messages.some(({ content }) => content.includes('Jan'))).toBe(false);
  });

  it('is summarized repeatedly, each time with the previous notes', async () => {
    let count = 0;
    const llm = noting(() => saying(`Notes ${count++}.`));
    await talk({ llm }, 10);
    const summaries = llm.requests.filter(isSummary);
    expect(summaries.length).toBeGreaterThan(2);
    expect(summaries[1]?.messages[1]?.content.startsWith('Notes so far:\nNotes 0.\n\nThe call:\nCaller: ')).toBe(true);
    for (const { messages } of replies(llm)) expect(estimate(messages)).toBeLessThan(600);
    // Each turn is either in the notes or in the messages, and none is in two summaries.
    const last = replies(llm).at(-1)?.messages ?? [];
    const covered = summaries.flatMap(({ messages }) =>
      [...(messages[1]?.content.matchAll(/turn number (\d+)/g) ?? [])].map((match) => Number(match[1])),
    );
    expect(new Set([...covered, ...turnsIn(last)])).toEqual(new Set([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]));
    expect(covered.length).toBe(new Set(covered).size);
  });

  it('replies without waiting for its summary', async () => {
    const llm = noting(() => [8_000, ...saying('Late notes.')]);
    const call = await talk({ llm }, 4);
    const [summary] = llm.requests.filter(isSummary);
    expect(summary).toBeDefined();
    await more(call, 1);
    expect(replies(llm)).toHaveLength(5);
    expect(turnsIn(replies(llm)[4]?.messages ?? [])).toEqual([0, 1, 2, 3, 4]);
    expect(call.tts.utterances).toHaveLength(5);
    // Only one summary runs at a time.
    expect(llm.requests.filter(isSummary)).toHaveLength(1);
  });

  it.each([
    ['fails', [new Error('no notes today')]],
    ['is empty', []],
    ['never arrives', [60_000]],
  ] as const)('keeps its turns when the summary %s, until the oldest no longer fit', async (_name, reply) => {
    const llm = noting(() => reply);
    const call = await talk({ llm }, 5);
    expect(turnsIn(replies(llm)[4]?.messages ?? [])).toEqual([0, 1, 2, 3, 4]);
    await more(call, 2);
    const last = replies(llm)[6]?.messages ?? [];
    expect(last.slice(0, 2)).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'system', content: 'What was said before this is left out.' },
    ]);
    expect(turnsIn(last)).toEqual([2, 3, 4, 5, 6]);
    expect(call.ended).toBeNull();
    const summaries = llm.requests.filter(isSummary);
    expect(summaries.length).toBeLessThanOrEqual(4);
  });

  it('aborts a slow summary and retries after the next turn', async () => {
    const llm = noting(() => [60_000]);
    const call = await talk({ llm, context: { max_tokens: 1_000_000 } }, 1);
    expect(llm.requests.filter(isSummary)).toHaveLength(0);
    const second = await talk({ llm }, 4);
    await second.quiet(21_000);
    const [first] = llm.requests.filter(isSummary);
    expect(first?.signal.aborted).toBe(true);
    await more(second, 1);
    expect(llm.requests.filter(isSummary)).toHaveLength(2);
    expect(call.ended).toBeNull();
  });

  it('drops old turns without a summary when summarize is false', async () => {
    const llm = noting(() => saying('Unwanted.'));
    await talk({ llm, context: { summarize: false } }, 8);
    expect(llm.requests.some(isSummary)).toBe(false);
    expect(turnsIn(replies(llm)[7]?.messages ?? [])).toEqual([3, 4, 5, 6, 7]);
  });

  it('keeps injected context, however old it is', async () => {
    const llm = noting(() => saying('Notes.'));
    const call = await talk({ llm }, 1);
    const { id } = await call.stored();
    const content = 'The caller is a member.';
    await call.va.operations.calls.control(call.orgId, id, { type: 'inject-context', content });
    await more(call, 8);
    for (const { messages } of replies(llm).slice(1)) {
      expect(messages.filter((message) => message.content === content)).toHaveLength(1);
    }
    const summaries = llm.requests.filter(isSummary);
    expect(summaries.length).toBeGreaterThan(0);
    for (const { messages } of summaries) expect(messages[1]?.content).not.toContain(content);
  });

  it('never separates a tool call from its result', async () => {
    const webhooks = new ScriptedWebhooks();
    webhooks.answer = () => ({ result: `found ${'x'.repeat(300)}` });
    let calls = 0;
    const llm = scriptedLlm((request) => {
      if (isSummary(request)) return saying('Notes with what was found.');
      const isAnswer = request.messages.at(-1)?.role === 'tool';
      return isAnswer ? saying('Found.') : calling('lookup', {}, `call-${calls++}`);
    });
    await talk({ llm, webhooks, tools: [{ type: 'function', name: 'lookup' }] }, 9);
    const summaries = llm.requests.filter(isSummary);
    expect(summaries[0]?.messages[1]?.content).toContain(`Tool lookup {}: found xxx`);
    for (const { messages } of replies(llm)) {
      messages.forEach((message, at) => {
        if (message.role === 'assistant' && message.toolCalls !== undefined) {
          expect(messages[at + 1]).toMatchObject({ role: 'tool', toolCallId: message.toolCalls[0]?.id });
        }
        if (message.role === 'tool') expect(messages[at - 1]).toHaveProperty('toolCalls');
      });
    }
  });

  it('always includes the turn to be answered, even if it alone exceeds the budget', async () => {
    const llm = noting(() => saying('Notes.'));
    const huge = `This is turn number 1. ${'word '.repeat(2_000)}`.trim();
    const call = await ring({
      llm,
      stt: scriptedStt({ turns: [longTurn(0), huge] }),
      agent: { llm_config: { provider: 'scripted', context: { max_tokens: 600 } } },
    });
    await more(call, 2);
    expect(turnsIn(replies(llm)[1]?.messages ?? [])).toEqual([1]);
    expect(replies(llm)[1]?.messages.at(-1)?.content).toBe(huge);
  });

  it('aborts its summary when the call ends', async () => {
    const llm = noting(() => [60_000]);
    const call = await talk({ llm }, 4);
    const [summary] = llm.requests.filter(isSummary);
    expect(summary?.signal.aborted).toBe(false);
    call.incoming.leave();
    await call.quiet(40);
    expect(summary?.signal.aborted).toBe(true);
    expect(call.ended).toMatchObject({ end_reason: 'user_hangup', error: null });
  });
});
