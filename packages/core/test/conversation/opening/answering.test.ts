import { defaultAmdSettings } from '@va/language';
import { describe, expect, it } from 'vitest';
import { answeringAtMs, beginAnswering, greetingHeard } from '../../../src/conversation/opening/answering.ts';
import type { ConversationState } from '../../../src/conversation/state/conversation-state.ts';
import type { Effect } from '../../../src/conversation/state/effects.ts';
import type { ConversationEvent } from '../../../src/conversation/state/events.ts';
import { callerTurn, effects, openConversation, said } from '../../support/conversation-state.ts';

const settings = { ...defaultAmdSettings, language: 'en' };
const firstMessage = 'Hello, this is Anna.';
const tail = { pitchChangeSt: null, levelChangeDb: 0, lastVoicedMs: 0 };

const started = (atMs: number): ConversationEvent => ({ type: 'speech-started', onsetAtMs: atMs, atMs });
const ended = (atMs: number): ConversationEvent => ({ type: 'speech-ended', lastSpeechAtMs: atMs, tail, atMs });
const words = (text: string, atMs: number): ConversationEvent => ({ type: 'stt-final', part: null, text, atMs });
const tick = (atMs: number): ConversationEvent => ({ type: 'timer', name: 'answering', atMs });
const beep = (atMs: number): ConversationEvent => ({ type: 'beep', atMs });
const greetingOf = (text: string): ConversationEvent[] => [started(500), words(text, 2_000)];

/** An outbound call that was answered at 0 ms. */
function answered(voicemailMessage: string | null = null, changes: Partial<ConversationState> = {}) {
  const config = { firstMessage, answering: { settings, voicemailMessage } };
  return beginAnswering(openConversation(changes, config), settings, 0);
}

function hearing(events: readonly ConversationEvent[], state = answered()) {
  const emitted: Effect[] = [];
  const { emit } = effects();
  const after = events.reduce(
    (each, event) =>
      greetingHeard(each, event, (effect) => {
        emitted.push(effect);
        emit(effect);
      }),
    state,
  );
  const verdicts = emitted.flatMap((effect) =>
    effect.type === 'notice' && effect.notice.type === 'answered-by' ? [effect.notice.kind] : [],
  );
  const texts = emitted.flatMap((effect) => (effect.type === 'speak' ? [effect.text] : []));
  return { after, verdicts, texts: texts.join(' '), types: emitted.map(({ type }) => type) };
}

describe('answering-machine detection', () => {
  it('waits 4 s for a sound, and then greets', () => {
    expect(answeringAtMs(answered())).toBe(4_000);
    const { after, verdicts, texts } = hearing([tick(4_000)]);
    expect([verdicts, texts]).toEqual([['silence'], firstMessage]);
    expect(after.opening.answering).toBeNull();
  });

  it('greets a person after their hello, which precedes the first message', () => {
    const userTurn = callerTurn({ kind: 'ending', text: 'Hello?', finals: ['Hello?'], startedAtMs: 500 });
    const { after, verdicts, texts } = hearing([started(500), ended(900), tick(1_400)], answered(null, { userTurn }));
    expect([verdicts, texts]).toEqual([['human'], firstMessage]);
    expect(after.entries.map((entry) => entry.role)).toEqual(['user', 'assistant']);
    expect(after.entries[0]).toEqual(said('Hello?'));
    expect(after.reply.due).toBeNull();
  });

  it('waits for the words of the hello if the recognizer has not answered', () => {
    const userTurn = callerTurn({ kind: 'ending', awaited: [3], startedAtMs: 500 });
    const { after, texts } = hearing([started(500), ended(900), tick(1_400)], answered(null, { userTurn }));
    expect([after.opening.answering?.isGreetingDue, texts]).toEqual([true, '']);
    expect(answeringAtMs(after)).toBeNull();
    const told = { ...after, userTurn: callerTurn({ kind: 'ending', text: 'Hello?', finals: ['Hello?'] }) };
    const greeted = hearing([{ type: 'stt-finalized', part: 3, atMs: 1_600 }], told);
    expect([greeted.texts, greeted.after.opening.answering]).toEqual([firstMessage, null]);
  });

  it('leaves the reply to the model if there is no first message', () => {
    const userTurn = callerTurn({ kind: 'ending', text: 'Hello?', finals: ['Hello?'] });
    const state = answered(null, { userTurn });
    const without = { ...state, config: { ...state.config, firstMessage: null } };
    const { after, verdicts } = hearing([started(500), ended(900), tick(1_400)], without);
    expect(verdicts).toEqual(['human']);
    expect(after).toMatchObject({ userTurn: { text: 'Hello?', isAnswered: false }, opening: { answering: null } });
  });

  it('hangs up on a voicemail without a message to leave', () => {
    const { after, verdicts } = hearing(greetingOf('Please leave a message after the beep.'));
    expect(verdicts).toEqual(['voicemail']);
    expect(after.phase).toMatchObject({ kind: 'closed', ending: { reason: 'voicemail' } });
  });

  it('leaves its message after the beep', () => {
    const greeting = greetingOf('Please leave a message after the beep.');
    const waiting = hearing(greeting, answered('Please call back.'));
    expect([waiting.texts, waiting.after.phase.kind]).toEqual(['', 'open']);
    const { after, texts } = hearing([ended(4_000), beep(4_200)], waiting.after);
    expect(texts).toBe('Please call back.');
    expect(after.phase).toMatchObject({ kind: 'closing', ending: { reason: 'voicemail' } });
    expect(after.agentTurn).toMatchObject({ interruptible: false });
  });

  it('leaves its message 3 s after a greeting without a beep', () => {
    const waiting = hearing([...greetingOf('Please leave a message.'), ended(4_000)], answered('Please call back.'));
    expect(answeringAtMs(waiting.after)).toBe(7_000);
    expect(hearing([tick(6_999)], waiting.after).texts).toBe('');
    expect(hearing([tick(7_000)], waiting.after).texts).toBe('Please call back.');
  });

  it('has no time limit while the greeting is being spoken', () => {
    const speaking = hearing(greetingOf('Please leave a message after the beep.'), answered('Please call back.'));
    expect(answeringAtMs(speaking.after)).toBeNull();
  });

  it('lets the model answer a screening service', () => {
    const { after, verdicts } = hearing(
      greetingOf('The person you are calling is using a screening service. Please state your name.'),
    );
    expect(verdicts).toEqual(['screening']);
    expect(after.reply.due).not.toBeNull();
    expect(after.opening.answering).toBeNull();
    expect(after.entries.at(-1)?.role).toBe('system');
  });

  it('ignores events that are no evidence, and all events once it has ended', () => {
    const state = answered();
    const other: ConversationEvent = { type: 'held', atMs: 100 };
    expect(greetingHeard(state, other, effects().emit)).toBe(state);
    const open = openConversation();
    expect(greetingHeard(open, started(500), effects().emit)).toBe(open);
    expect(answeringAtMs(open)).toBeNull();
  });
});
