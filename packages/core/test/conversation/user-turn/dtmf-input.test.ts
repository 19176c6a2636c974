import { describe, expect, it } from 'vitest';
import type { ConversationState } from '../../../src/conversation/state/conversation-state.ts';
import { keyPressed, keysComplete, keysDueAtMs } from '../../../src/conversation/user-turn/dtmf-input.ts';
import { defaultSpeechConfig, type SpeechConfig } from '../../../src/domain/agents/speech/speech-config.ts';
import { effects, openConversation } from '../../support/conversation-state.ts';

function dialing(dtmf: Partial<SpeechConfig['dtmf']> = {}, changes: Partial<ConversationState> = {}) {
  const speech = { ...defaultSpeechConfig, dtmf: { ...defaultSpeechConfig.dtmf, terminator: '#', ...dtmf } };
  const { emit, emitted } = effects();
  /** Presses keys, one a second. */
  const press = (digits: string): ConversationState =>
    [...digits].reduce(
      (state, digit, second) => keyPressed(state, digit, second * 1_000, emit),
      openConversation(changes, { speech }),
    );
  const complete = (state: ConversationState): ConversationState => keysComplete(state, 9_000, emit);
  return { press, complete, emitted };
}

function turns({ entries }: ConversationState): string[] {
  return entries.map((entry) => (entry.role === 'user' ? entry.text : ''));
}

describe('keyPressed', () => {
  it('collects keys until the terminator, which is not part of the turn', () => {
    const { press } = dialing();
    expect(press('12').caller.keys).toEqual({ digits: '12', lastAtMs: 1_000 });
    const after = press('12#');
    expect([turns(after), after.caller.keys]).toEqual([['[keys pressed: 12]'], null]);
  });

  it('takes the terminator alone as a key', () => {
    expect(turns(dialing().press('#'))).toEqual(['[keys pressed: #]']);
  });

  it('completes the turn with the maximum number of keys, and starts another with the next key', () => {
    const after = dialing({ max_digits: 2, terminator: null }).press('12#');
    expect([turns(after), after.caller.keys?.digits]).toEqual([['[keys pressed: 12]'], '#']);
  });

  it('makes a reply due, and sends the keys to a speech-to-speech model', () => {
    const { press, emitted } = dialing();
    expect(press('7#').reply.due).toMatchObject({ answers: { lastSpeechAtMs: 0, endedAtMs: 1_000, wordsAtMs: null } });
    expect(emitted).toContainEqual({ type: 'model-told', role: 'user', text: '[keys pressed: 7]' });
  });

  it('ends the silence of the caller even if keys are no input', () => {
    const { press } = dialing({ enabled: false }, { silence: { sinceMs: -5_000, prompts: 2 } });
    const after = press('12');
    expect([after.silence, after.caller.keys]).toEqual([{ sinceMs: 1_000, prompts: 0 }, null]);
  });

  it('collects nothing before the call is open', () => {
    expect(dialing({}, { phase: { kind: 'waiting' } }).press('12').caller.keys).toBeNull();
  });
});

describe('keysDueAtMs', () => {
  it('is the timeout after the last key, and null without keys', () => {
    const { press } = dialing({ timeout_ms: 1_500 });
    expect(keysDueAtMs(press('12'))).toBe(2_500);
    expect(keysDueAtMs(press(''))).toBeNull();
  });
});

describe('keysComplete', () => {
  it('makes a turn of the keys so far, once', () => {
    const { press, complete } = dialing();
    const after = complete(press('12'));
    expect(turns(after)).toEqual(['[keys pressed: 12]']);
    expect(complete(after)).toBe(after);
  });
});
