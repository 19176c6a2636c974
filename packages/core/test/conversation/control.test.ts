import { defaultAmdSettings } from '@va/language';
import { describe, expect, it } from 'vitest';
import { type ControlEvent, controlled } from '../../src/conversation/control.ts';
import { beginAnswering } from '../../src/conversation/opening/answering.ts';
import type { ConversationLanguage } from '../../src/conversation/state/conversation-language.ts';
import type { ConversationState } from '../../src/conversation/state/conversation-state.ts';
import { handBack, handedBack, mayBeTakenOver, takeOver } from '../../src/conversation/transfer/take-over.ts';
import { planTransfer } from '../../src/conversation/transfer/transfer.ts';
import { effects, openConversation, said, speakingAgent, speechOf } from '../support/conversation-state.ts';

const at = { atMs: 5_000 };
const say: ControlEvent = { type: 'say', text: 'One moment.', interruptible: true, endAfter: false, ...at };
const transfer: ControlEvent = {
  type: 'transfer-asked',
  destination: '+31205550100',
  mode: 'blind',
  keysOnAnswer: null,
  message: null,
  ...at,
};
const injected: ControlEvent = { type: 'context-injected', text: 'It rains.', wantsReply: true, ...at };
const mute: ControlEvent = { type: 'mute-changed', isMuted: true, ...at };

function commanded(state: ConversationState, event: ControlEvent) {
  const { emit, emitted } = effects();
  return { after: controlled(state, event, emit), emitted, types: emitted.map(({ type }) => type) };
}

function takenOver(state = openConversation()): ConversationState {
  return { ...state, playout: { ...state.playout, isTakenOver: true } };
}

describe('controlled', () => {
  it.each<[string, ControlEvent]>([
    ['say', say],
    ['transfer', transfer],
    ['context', injected],
    ['mute', mute],
    ['take-over', { type: 'taken-over', isTakenOver: true, ...at }],
    ['prompt', { type: 'prompt-changed', languages: [], ...at }],
  ])('ignores the command %s in a call that is not open', (_name, event) => {
    const ringing = openConversation({ phase: { kind: 'waiting' } });
    expect(commanded(ringing, event)).toMatchObject({ after: ringing, emitted: [] });
  });

  it('says a text, and hangs up after it if asked to', () => {
    const said = commanded(openConversation(), say);
    expect([said.after.phase.kind, said.after.agentTurn.kind]).toEqual(['open', 'active']);
    const last = commanded(openConversation(), { ...say, endAfter: true });
    expect(last.after.phase).toMatchObject({ kind: 'closing', ending: { reason: 'api_hangup' }, sinceMs: 5_000 });
  });

  it('ignores a text and a transfer during a take-over, but adds context', () => {
    const state = takenOver();
    for (const event of [say, transfer]) expect(commanded(state, event)).toMatchObject({ after: state, emitted: [] });
    expect(commanded(state, injected).after.entries).toEqual([{ role: 'system', text: 'It rains.' }]);
  });

  it('silences a muted agent at once, and lets it speak again', () => {
    const { after, types } = commanded(speakingAgent('We are open.'), mute);
    expect([after.agentTurn.kind, after.playout.isMuted]).toEqual(['silent', true]);
    expect(types).toContain('clear-playout');
    const unmuted = commanded(after, { ...mute, isMuted: false });
    expect([unmuted.after.playout.isMuted, unmuted.emitted]).toEqual([false, []]);
  });

  it('plans a transfer', () => {
    expect(commanded(openConversation(), transfer).after.transfer.active).toMatchObject({
      destination: '+31205550100',
    });
  });
});

describe('a changed prompt', () => {
  const languages: ConversationLanguage[] = ['en', 'nl'].map((language) => ({
    language,
    systemPrompt: [{ role: 'system', content: `New: ${language}` }],
    speech: speechOf({}),
  }));
  const changed = (language: string | undefined) => {
    const event: ControlEvent = { type: 'prompt-changed', languages, ...at };
    return commanded(openConversation({}, { language }), event);
  };

  it('is the prompt of the current language', () => {
    const { after, emitted } = changed('nl');
    expect(after.config).toMatchObject({ systemPrompt: [{ role: 'system', content: 'New: nl' }], languages });
    expect(emitted).toEqual([{ type: 'model-instructed', systemPrompt: after.config.systemPrompt }]);
  });

  it('is the prompt of the first language if the current language was removed', () => {
    expect(changed('fr').after.config.systemPrompt).toEqual([{ role: 'system', content: 'New: en' }]);
  });
});

describe('mayBeTakenOver', () => {
  const wish = { destination: '+31205550100', mode: 'blind', keysOnAnswer: null, callId: null, summary: null } as const;

  it.each<[boolean, string, ConversationState]>([
    [true, 'an open call', openConversation()],
    [false, 'a call that rings', openConversation({ phase: { kind: 'waiting' } })],
    [false, 'a call that is taken over', takenOver()],
    [false, 'a transfer', planTransfer(openConversation(), wish)],
    [false, 'the detection of an answering machine', beginAnswering(openConversation(), defaultAmdSettings, 0)],
  ])('is %s during %s', (expected, _what, state) => {
    expect(mayBeTakenOver(state)).toBe(expected);
    const { emit, emitted } = effects();
    if (!expected) expect([takeOver(state, emit), emitted]).toEqual([state, []]);
  });
});

describe('takeOver', () => {
  it('silences the agent, and drops its due reply, its greeting and its keys', () => {
    const state = speakingAgent('We are open.', {
      reply: { due: { answers: null, toolSteps: 0 }, preemption: null },
    });
    const pressing = { ...state, playout: { ...state.playout, keys: [{ keys: '1', toneMs: 100 }] } };
    const greeting = { ...pressing, opening: { ...pressing.opening, greetingDueAtMs: 500 } };
    const { emit, emitted } = effects();
    const after = takeOver(greeting, emit);
    expect(after.agentTurn.kind).toBe('silent');
    expect(after.reply.due).toBeNull();
    expect(after.opening.greetingDueAtMs).toBeNull();
    expect(after.playout).toMatchObject({ isTakenOver: true, keys: [] });
    expect(emitted.slice(-2)).toEqual([
      { type: 'set-taken-over', isTakenOver: true },
      { type: 'notice', notice: { type: 'take-over', status: 'started' } },
    ]);
  });
});

describe('handBack', () => {
  it('adds a message about the take-over for the model, and waits for the caller', () => {
    const { emit, emitted } = effects();
    const state = takenOver(openConversation({ entries: [said('Hello')] }));
    const after = handBack({ ...state, reply: { due: { answers: null, toolSteps: 0 }, preemption: null } }, emit);
    expect(after.entries.at(-1)).toEqual({ role: 'system', text: handedBack });
    expect([after.playout.isTakenOver, after.reply.due]).toEqual([false, null]);
    expect(emitted.map(({ type }) => type)).toEqual(['set-taken-over', 'notice', 'model-told']);
  });

  it('does nothing to a call that is not taken over', () => {
    const { emit, emitted } = effects();
    const state = openConversation();
    expect([handBack(state, emit), emitted]).toEqual([state, []]);
  });
});
