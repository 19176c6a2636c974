import { describe, expect, it } from 'vitest';
import { ConversationDisplay, noPage } from '../../../src/calls/session/conversation-display.ts';
import { displayStateOf } from '../../../src/calls/session/display-state.ts';
import { newSpeech } from '../../../src/conversation/agent-turn/speech-text.ts';
import { idleUserTurn } from '../../../src/conversation/state/caller/user-turn.ts';
import type { ConversationState } from '../../../src/conversation/state/conversation-state.ts';
import { emptyLedger, enter } from '../../../src/conversation/state/tools/tool-ledger.ts';
import type { CallDisplay, DisplayEvent, DisplayState } from '../../../src/ports/call-display.ts';
import { openConversation, thinkingTurn } from '../../support/conversation-state.ts';

const speech = newSpeech(1, 0, { reading: { language: 'en', normalize: false, pronunciations: [] } });
const sounding = { ...speech, started: true };

function agentTurn(changes: Parameters<typeof thinkingTurn>[1]): Partial<ConversationState> {
  return { agentTurn: thinkingTurn(0, changes) };
}

function words(text: string): ConversationState {
  return openConversation({ userTurn: { ...idleUserTurn, kind: 'speaking', text } });
}

function displaying(runTool?: CallDisplay['runTool']) {
  const shown: DisplayEvent[] = [];
  const show = (event: DisplayEvent): void => void shown.push(event);
  const display = new ConversationDisplay(runTool === undefined ? { show } : { show, runTool });
  return { display, shown };
}

describe('displayStateOf', () => {
  it.each<[DisplayState, string, Partial<ConversationState>]>([
    ['listening', 'no reply is due', {}],
    ['thinking', 'a reply is due', { reply: { due: { answers: null, toolSteps: 0 }, preemption: null } }],
    ['thinking', 'a tool runs', { tools: enter(emptyLedger, { id: 'a', name: 'lookup', arguments: '{}' }) }],
    ['thinking', 'the model replies', agentTurn({})],
    ['thinking', 'the first audio has not come', agentTurn({ speeches: [speech] })],
    ['speaking', 'an utterance is heard', agentTurn({ speeches: [speech, sounding] })],
    ['thinking', 'all utterances were heard', agentTurn({ speeches: [{ ...sounding, finished: true }] })],
    [
      'listening',
      'the agent is paused',
      agentTurn({ speeches: [sounding], paused: { sinceMs: 0, quietSinceMs: null } }),
    ],
  ])('is %s when %s', (state, _when, changes) => {
    expect(displayStateOf(openConversation(changes))).toBe(state);
  });
});

describe('ConversationDisplay', () => {
  it('shows each state and each change of the words once', () => {
    const { display, shown } = displaying();
    for (const state of [openConversation(), words('a'), words('a'), words('a table')]) display.observe(state);
    expect(shown).toEqual([
      { type: 'state', state: 'listening' },
      { type: 'user-text', text: 'a', isFinal: false },
      { type: 'user-text', text: 'a table', isFinal: false },
    ]);
  });

  it('shows the same words again in the next turn', () => {
    const { display, shown } = displaying();
    display.observe(words('yes'));
    display.notice({ type: 'user-turn', text: 'Yes.' });
    display.observe(words('yes'));
    expect(shown.filter(({ type }) => type === 'user-text')).toEqual([
      { type: 'user-text', text: 'yes', isFinal: false },
      { type: 'user-text', text: 'Yes.', isFinal: true },
      { type: 'user-text', text: 'yes', isFinal: false },
    ]);
  });

  it('shows tool calls without their arguments and results', () => {
    const { display, shown } = displaying();
    display.notice({ type: 'tool-call', call: { id: 'a', name: 'lookup', arguments: '{"pin":1234}' } });
    display.notice({ type: 'tool-result', callId: 'a', name: 'lookup', outcome: { ok: true, result: 'secret' } });
    expect(shown).toEqual([
      { type: 'tool-started', id: 'a', name: 'lookup' },
      { type: 'tool-ended', id: 'a', name: 'lookup', ok: true },
    ]);
  });

  it('shows nothing after the end, which it shows once', () => {
    const { display, shown } = displaying();
    display.ended('user_hangup');
    display.ended('agent_hangup');
    display.notice({ type: 'agent-speaking', text: 'Hello.' });
    display.observe(words('hello'));
    expect(shown).toEqual([{ type: 'ended', reason: 'user_hangup' }]);
  });

  it('shows no state of a closed conversation', () => {
    const { display, shown } = displaying();
    display.observe({ ...words('bye'), phase: { kind: 'closed', ending: { reason: 'user_hangup', error: null } } });
    expect(shown).toEqual([]);
  });

  it('runs a tool in the page, and fails it in a call without a page', async () => {
    const call = { id: 'a', name: 'show_map', arguments: {} };
    const { signal } = new AbortController();
    const page = displaying(async ({ name }) => ({ ok: true, result: name }));
    expect(await page.display.runTool(call, signal)).toEqual({ ok: true, result: 'show_map' });
    expect(await displaying().display.runTool(call, signal)).toEqual(noPage);
  });
});
