import { describe, expect, it } from 'vitest';
import { newSpeech } from '../../../src/conversation/agent-turn/speech-text.ts';
import { cutToFit, fitWindow, requestMessages, windowTokens } from '../../../src/conversation/context/window.ts';
import type { ConversationState } from '../../../src/conversation/state/conversation-state.ts';
import type { TranscriptEntry } from '../../../src/conversation/state/transcript.ts';
import { openConversation, replied, said } from '../../support/conversation-state.ts';

/** A text that counts 100 tokens as a message: 96 of four characters, and four for the message. */
const hundred = (mark: string): string => mark.repeat(384);
const context: TranscriptEntry = { role: 'system', text: 'x'.repeat(4_000) };
const entries = [
  said(hundred('a')),
  replied(hundred('b')),
  said(hundred('c')),
  replied(hundred('d')),
  said(hundred('e')),
];

function contextOf(state: ConversationState, changes: Partial<ConversationState['context']>): ConversationState {
  return { ...state, context: { ...state.context, ...changes } };
}

/** The first letter of each message. */
function marks(state: ConversationState): string {
  return requestMessages(state, [])
    .map(({ content }) => content[0])
    .join('');
}

describe('cutToFit', () => {
  it.each([
    [500, 0],
    [499, 2],
    [300, 2],
    [299, 4],
    [100, 4],
    [1, 4],
  ])('starts the window for %i tokens at the turn in entry %i', (maxTokens, from) => {
    expect(cutToFit(openConversation({ entries }), 0, maxTokens)).toBe(from);
  });

  it('does not return to turns that are left out already', () => {
    expect(cutToFit(openConversation({ entries }), 2, 1_000)).toBe(2);
    expect(cutToFit(openConversation({ entries }), 2, 200)).toBe(4);
  });

  it('counts the summary', () => {
    const state = contextOf(openConversation({ entries }), { summary: 'n'.repeat(400) });
    expect(cutToFit(state, 0, 599)).toBe(2);
    expect(cutToFit(state, 0, 600)).toBe(0);
  });

  it('does not count injected context, which is never left out', () => {
    expect(cutToFit(openConversation({ entries: [context, ...entries] }), 0, 500)).toBe(0);
  });

  it('keeps the speech of the agent that is being heard, with its turn', () => {
    expect(cutToFit(openConversation({ entries }), 0, 1, new Set([3]))).toBe(2);
  });

  it('counts speech that is being heard as a whole, and other speech as far as it was heard', () => {
    const unheard = replied(hundred('d'), { heard: '' });
    const state = openConversation({ entries: [...entries.slice(0, 3), unheard] });
    expect(windowTokens(state)).toBe(300);
    expect(cutToFit(state, 0, 300)).toBe(0);
    expect(cutToFit(state, 0, 300, new Set([3]))).toBe(2);
  });
});

describe('fitWindow', () => {
  it('returns the same state when everything fits', () => {
    const state = openConversation({ entries });
    expect(fitWindow(state, [])).toBe(state);
  });

  it('keeps the entry of an unfinished utterance, but not that of a finished one', () => {
    const state = openConversation({ entries }, { context: { max_tokens: 150, keep_last_turns: 1, summarize: true } });
    const speech = newSpeech(9, 3, { reading: state.config.reading });
    expect(fitWindow(state, [speech]).context.from).toBe(2);
    expect(fitWindow(state, [{ ...speech, finished: true }]).context.from).toBe(4);
  });
});

describe('requestMessages', () => {
  it('has the prompt, the injected context and the turns of the window', () => {
    const state = openConversation({ entries: [context, ...entries] });
    expect(marks(contextOf(state, { from: 3, summarizedTo: 3 }))).toBe('Bxcde');
  });

  it('says that turns are left out which no summary covers', () => {
    const state = openConversation({ entries });
    expect(requestMessages(contextOf(state, { from: 2 }), [])[1]).toEqual({
      role: 'system',
      content: 'What was said before this is left out.',
    });
    const covered = requestMessages(contextOf(state, { from: 2, summarizedTo: 2, summary: 'Jan calls.' }), []);
    expect(covered.map(({ content }) => content).slice(1, 3)).toEqual([
      'The conversation before this, in short:\nJan calls.',
      hundred('c'),
    ]);
  });
});
