import type { Floor, FloorHolder } from '@va/core';
import { defaultSpeechConfig } from '@va/core/adapter';
import { describe, expect, it } from 'vitest';
import { type ConversationState, initialState } from '../../../src/conversation/state/conversation-state.ts';
import { emptyLedger, enter } from '../../../src/conversation/state/tools/tool-ledger.ts';
import { defaultTurnPolicy } from '../../../src/conversation/turns/default-turn-policy.ts';
import { floorOf } from '../../../src/conversation/turns/floor.ts';
import { defaultContextSettings } from '../../../src/domain/agents/context-settings.ts';

const open: ConversationState = {
  ...initialState({
    firstMessage: null,
    systemPrompt: [],
    tools: [],
    context: defaultContextSettings,
    speech: defaultSpeechConfig,
    turnPolicy: defaultTurnPolicy,
    turnModel: null,
    reading: { language: 'en', normalize: true, pronunciations: [] },
    language: 'en',
    languages: [],
    judgesTurns: false,
    isRealtime: false,
    greetsWhenHeard: false,
    canTransfer: false,
    canPressKeys: false,
    answering: null,
    farewell: 'Goodbye.',
    maxDurationMs: 600_000,
    maxToolSteps: 5,
  }),
  phase: { kind: 'open' },
};

/** A state with a single holder, for each holder. */
const heldBy: Partial<Record<FloorHolder, ConversationState>> = {
  notOpen: { ...open, phase: { kind: 'waiting' } },
  hold: { ...open, caller: { ...open.caller, isOnHold: true } },
  agentMute: { ...open, playout: { ...open.playout, isMuted: true } },
  colleague: { ...open, playout: { ...open.playout, isTakenOver: true } },
  callerMute: { ...open, caller: { ...open.caller, mute: { isSpeaking: false } } },
  caller: { ...open, userTurn: { ...open.userTurn, kind: 'speaking' } },
  keys: { ...open, caller: { ...open.caller, keys: { digits: '1', lastAtMs: 0 } } },
  dueReply: { ...open, reply: { ...open.reply, due: { answers: null, toolSteps: 0 } } },
  tool: { ...open, tools: enter(emptyLedger, { id: 'call-1', name: 'lookup', arguments: '{}' }) },
};

const free = { canReply: true, canPrepareReply: true, canAskAgain: true, canSayFiller: true, isQuiet: true };

function blockedBy(holder: FloorHolder): string[] {
  const state = heldBy[holder];
  if (state === undefined) throw new Error(`no state of ${holder}`);
  const floor = floorOf(state);
  expect(floor.holders).toEqual([holder]);
  return Object.entries(floor)
    .filter(([, value]) => value === false)
    .map(([use]) => use);
}

describe('floor', () => {
  it('is free in an open call without any activity', () => {
    const floor: Floor = { holders: [], ...free, canInterrupt: true, canMuteCaller: true };
    expect(floorOf(open)).toEqual(floor);
  });

  it('is computed once per state', () => {
    expect(floorOf(open)).toBe(floorOf(open));
  });

  it.each<[FloorHolder, string[]]>([
    ['notOpen', [...Object.keys(free).slice(0, 4), 'canInterrupt', 'canMuteCaller', 'isQuiet']],
    ['hold', ['canAskAgain', 'isQuiet']],
    ['agentMute', ['canReply', 'canPrepareReply', 'canAskAgain', 'canSayFiller', 'canMuteCaller', 'isQuiet']],
    ['callerMute', ['canAskAgain', 'canInterrupt']],
    ['caller', ['canReply', 'canSayFiller', 'isQuiet']],
    ['keys', ['canReply', 'canPrepareReply', 'canAskAgain', 'isQuiet']],
    ['dueReply', ['canPrepareReply', 'canAskAgain', 'isQuiet']],
    ['tool', ['canReply', 'canPrepareReply', 'canAskAgain', 'isQuiet']],
  ])('held by %s blocks %j', (holder, uses) => {
    expect(blockedBy(holder)).toEqual(uses);
  });
});
