import { describe, expect, it } from 'vitest';
import type { ConversationConfig } from '../../../src/conversation/state/config.ts';
import type { ConversationState } from '../../../src/conversation/state/conversation-state.ts';
import type { Opening } from '../../../src/conversation/state/opening.ts';
import { emptyLedger, enter, settle } from '../../../src/conversation/state/tools/tool-ledger.ts';
import { muteBySettings } from '../../../src/conversation/turns/caller-mute.ts';
import { situationOf } from '../../../src/conversation/turns/situation-of.ts';
import { openConversation, speakingAgent, speechOf, thinkingTurn } from '../../support/conversation-state.ts';

type Strategy = NonNullable<NonNullable<Parameters<typeof speechOf>[0]['interruption']>['mute_strategies']>[number];

const call = { id: 'call-1', name: 'lookup', arguments: '{}' };
const running = enter(emptyLedger, call);

function mutes(strategies: readonly Strategy[], state: ConversationState): boolean {
  const speech = speechOf({ interruption: { mute_strategies: [...strategies] } });
  return muteBySettings.mutesCaller(situationOf({ ...state, config: { ...state.config, speech } }));
}

function speaking(
  firstSpeech: Opening['firstSpeech'],
  settings: Partial<ConversationConfig> = { firstMessage: 'Hello.' },
): ConversationState {
  const state = speakingAgent('Hello.', {}, settings);
  return { ...state, opening: { ...state.opening, firstSpeech } };
}

const silent = openConversation({}, { firstMessage: 'Hello.' });
const thinking = openConversation({ agentTurn: thinkingTurn(0) }, { firstMessage: 'Hello.' });

describe('muteBySettings', () => {
  it.each<[Strategy, string, ConversationState, boolean]>([
    ['first_speech', 'during the first speech of the agent', speaking('going'), true],
    ['first_speech', 'before the agent is heard', thinking, false],
    ['first_speech', 'during a later speech', speaking('over'), false],
    ['until_first_bot_complete', 'before the first message is heard', silent, true],
    ['until_first_bot_complete', 'during the first message', speaking('going'), true],
    ['until_first_bot_complete', 'during a later speech', speaking('over'), false],
    ['until_first_bot_complete', 'without a first message', openConversation(), false],
    ['until_first_bot_complete', 'with a blank first message', openConversation({}, { firstMessage: ' ' }), false],
    ['function_call', 'while a tool runs', openConversation({ tools: running }), true],
    [
      'function_call',
      'after the tool has ended',
      openConversation({ tools: settle(running, call.id, { ok: true, result: 1 }) }),
      false,
    ],
    ['always', 'whenever the agent is heard', speaking('over'), true],
    ['always', 'while the agent thinks', thinking, false],
    ['always', 'while the agent is silent', silent, false],
  ])('by %s %s: %#', (strategy, _when, state, isMuted) => {
    expect(mutes([strategy], state)).toBe(isMuted);
  });

  it('mutes if one of several strategies applies, and never without any', () => {
    expect(mutes(['first_speech', 'function_call'], openConversation({ tools: running }))).toBe(true);
    expect(mutes(['first_speech', 'function_call'], silent)).toBe(false);
    expect(mutes([], speaking('going'))).toBe(false);
  });
});
