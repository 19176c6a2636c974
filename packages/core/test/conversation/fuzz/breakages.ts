import type { ConversationState } from '../../../src/conversation/state/conversation-state.ts';
import type { Effect } from '../../../src/conversation/state/effects.ts';
import type { step } from '../../../src/conversation/step.ts';

type Step = typeof step;
type Result = ReturnType<Step>;

/** A reducer with one fault. */
export interface Breakage {
  readonly name: string;
  /** Seed of conversations that reveal the fault early, for one that few conversations reveal. */
  readonly seed?: number;
  readonly of: (sound: Step) => Step;
}

/** Omits effects of one type. */
function without(type: Effect['type']): Breakage['of'] {
  return (sound) => (state, event) => {
    const result = sound(state, event);
    return { ...result, effects: result.effects.filter((effect) => effect.type !== type) };
  };
}

function twice(isMeant: (effect: Effect) => boolean): Breakage['of'] {
  return (sound) => (state, event) => {
    const result = sound(state, event);
    return { ...result, effects: result.effects.flatMap((effect) => (isMeant(effect) ? [effect, effect] : [effect])) };
  };
}

/** Changes the resulting state of each step. */
function changed(
  change: (after: ConversationState, before: ConversationState, result: Result) => ConversationState,
): Breakage['of'] {
  return (sound) => (state, event) => {
    const result = sound(state, event);
    return { ...result, state: change(result.state, state, result) };
  };
}

/** Faults that the random conversations must detect: at least one for each invariant. */
export const breakages: readonly Breakage[] = [
  { name: 'does not clear playout on an interruption', of: without('clear-playout') },
  { name: 'does not cancel utterances', of: without('cancel-utterance') },
  { name: 'does not cancel LLM requests', of: without('cancel-llm') },
  { name: 'never resumes playout after a noise', seed: 8, of: without('resume-playout') },
  { name: 'never changes the level of the voice', seed: 23, of: without('set-voice-level') },
  { name: 'never sends the voice of a supervisor', of: without('set-taken-over') },
  {
    name: 'ignores a take-over',
    of: (sound) => (state, event) => {
      if (!state.playout.isTakenOver || event.type === 'taken-over') return sound(state, event);
      const unaware = { ...state, playout: { ...state.playout, isTakenOver: false } };
      const { state: after, effects } = sound(unaware, event);
      return { effects, state: { ...after, playout: { ...after.playout, isTakenOver: after.phase.kind === 'open' } } };
    },
  },
  {
    name: 'ends the turn at once after unfinished words',
    seed: 4,
    of: (sound) => (state, event) => {
      const isEnding = event.type === 'speech-ended' && state.userTurn.kind === 'speaking';
      if (!isEnding || state.userTurn.completeness !== 'unfinished') return sound(state, event);
      return sound(sound(state, event).state, { type: 'timer', name: 'end-of-turn', atMs: event.atMs });
    },
  },
  { name: 'never ends an utterance', of: without('end-utterance') },
  { name: 'hangs up twice', of: twice(({ type }) => type === 'hang-up') },
  {
    name: 'gives a tool call two outcomes',
    of: twice((effect) => effect.type === 'notice' && effect.notice.type === 'tool-result'),
  },
  {
    name: 'accepts text of a cancelled reply',
    seed: 25,
    of: (sound) => (state, event) => {
      const { agentTurn } = state;
      const isStale = event.type === 'llm-text' && agentTurn.kind === 'active' && agentTurn.llm !== null;
      return sound(state, isStale ? { ...event, generation: agentTurn.llm.generation } : event);
    },
  },
  {
    name: 'stores the full text of interrupted speech instead of the heard text',
    of: changed((after) => ({
      ...after,
      entries: after.entries.map((entry) =>
        entry.role === 'assistant' && entry.interrupted ? { ...entry, heard: entry.full.trim() } : entry,
      ),
    })),
  },
  {
    name: 'uses a preemptive reply although the words changed',
    seed: 94,
    of: (sound) => (state, event) => {
      const {
        reply: { preemption },
        userTurn,
      } = state;
      const words = event.type === 'stt-final' ? [...userTurn.finals, event.text] : [userTurn.text];
      const text = words.join(' ').trim();
      const isKept = preemption !== null && userTurn.kind !== 'idle' && event.type !== 'stt-partial';
      return sound(
        isKept ? { ...state, reply: { ...state.reply, preemption: { ...preemption, text } } } : state,
        event,
      );
    },
  },
  {
    name: 'forgets the words of an interruption',
    of: changed((after, before, { effects }) =>
      effects.some(({ type }) => type === 'clear-playout') && after.entries.length > 1
        ? { ...after, entries: before.entries.slice(0, -1) }
        : after,
    ),
  },
  {
    name: 'ignores tool outcomes',
    seed: 7,
    of: (sound) => (state, event) =>
      event.type === 'tool-settled' && state.phase.kind === 'open' ? { state, effects: [] } : sound(state, event),
  },
  {
    name: 'omits the turn to be answered from the request',
    of: changed((after) => ({
      ...after,
      context: { ...after.context, from: after.context.from > 0 ? after.entries.length : 0 },
    })),
  },
  {
    name: 'transfers before its message has been played',
    of: (sound) => (state, event) => {
      const result = sound(state, event);
      const {
        transfer: { active: transfer },
      } = result.state;
      if (transfer === null || transfer.startedAtMs !== null) return result;
      const { id, destination, mode, keysOnAnswer, summary } = transfer;
      return {
        state: {
          ...result.state,
          transfer: { ...result.state.transfer, active: { ...transfer, startedAtMs: event.atMs } },
        },
        effects: [...result.effects, { type: 'transfer', id, destination, mode, keysOnAnswer, summary }],
      };
    },
  },
  {
    name: 'continues after its budget is used up',
    of: (sound) => (state, event) => sound(state, event.type === 'budget' ? { ...event, level: 'warning' } : event),
  },
  {
    name: 'hears a muted caller',
    of: (sound) => (state, event) => {
      const result = sound(
        state.caller.mute === null ? state : { ...state, caller: { ...state.caller, mute: null } },
        event,
      );
      return state.caller.mute === null
        ? result
        : { ...result, state: { ...result.state, caller: { ...result.state.caller, mute: state.caller.mute } } };
    },
  },
  { name: 'never aborts a transfer', seed: 19, of: without('cancel-transfer') },
  {
    name: 'keeps the prediction of an earlier pause',
    of: changed((after, before) =>
      after.prediction.current === null && before.prediction.current !== null
        ? { ...after, prediction: before.prediction }
        : after,
    ),
  },
  {
    name: 'accepts any answer of the turn model',
    seed: 319,
    of: (sound) => (state, event) => {
      const { current } = state.prediction;
      const isAnswer = event.type === 'turn-predicted' && current !== null;
      return sound(state, isAnswer ? { ...event, request: current.request } : event);
    },
  },
  { name: 'never finalizes the STT', of: without('finalize-stt') },
  {
    name: 'reopens a closed conversation',
    of: changed((after, before) => (before.phase.kind === 'closed' ? { ...after, phase: { kind: 'open' } } : after)),
  },
];
