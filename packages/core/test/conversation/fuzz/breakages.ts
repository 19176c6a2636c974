import type { ConversationState } from '../../../src/conversation/state/conversation-state.ts';
import type { Effect } from '../../../src/conversation/state/effects.ts';
import { turnText } from '../../../src/conversation/state/user-turn.ts';
import type { step } from '../../../src/conversation/step.ts';

type Step = typeof step;
type Result = ReturnType<Step>;

/** A reducer that does one thing wrong. */
export interface Breakage {
  readonly name: string;
  readonly of: (sound: Step) => Step;
}

/** Leaves effects of one kind out. */
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

/** Changes the state that comes of each step. */
function changed(
  change: (after: ConversationState, before: ConversationState, result: Result) => ConversationState,
): Breakage['of'] {
  return (sound) => (state, event) => {
    const result = sound(state, event);
    return { ...result, state: change(result.state, state, result) };
  };
}

/** Each is found by the random conversations: what they watch is what these break. */
export const breakages: readonly Breakage[] = [
  { name: 'lets the playout go on when the caller interrupts', of: without('clear-playout') },
  { name: 'lets the synthesizer go on with what nobody will hear', of: without('cancel-utterance') },
  { name: 'lets the model go on with what nobody waits for', of: without('cancel-llm') },
  { name: 'never goes on after a noise', of: without('resume-playout') },
  { name: 'never ends an utterance', of: without('end-utterance') },
  { name: 'hangs up twice', of: twice(({ type }) => type === 'hang-up') },
  {
    name: 'gives a tool call two outcomes',
    of: twice((effect) => effect.type === 'notice' && effect.notice.type === 'tool-result'),
  },
  {
    name: 'takes words of a reply that was given up',
    of: (sound) => (state, event) => {
      const { agentTurn } = state;
      const isStale = event.type === 'llm-text' && agentTurn.kind === 'active' && agentTurn.llm !== null;
      return sound(state, isStale ? { ...event, generation: agentTurn.llm.generation } : event);
    },
  },
  {
    name: 'writes down what was meant instead of what was heard',
    of: changed((after) => ({
      ...after,
      entries: after.entries.map((entry) =>
        entry.role === 'assistant' && entry.interrupted ? { ...entry, heard: entry.full.trim() } : entry,
      ),
    })),
  },
  {
    name: 'uses a prepared reply whatever was said in the end',
    of: (sound) => (state, event) => {
      const {
        reply: { preemption },
        userTurn,
      } = state;
      const words = event.type === 'stt-final' ? [...userTurn.finals, event.text] : [turnText(userTurn)];
      const text = words.join(' ').trim();
      const isKept = preemption !== null && userTurn.kind !== 'idle' && event.type !== 'stt-partial';
      return sound(
        isKept ? { ...state, reply: { ...state.reply, preemption: { ...preemption, text } } } : state,
        event,
      );
    },
  },
  {
    name: 'forgets what the caller said when it interrupted',
    of: changed((after, before, { effects }) =>
      effects.some(({ type }) => type === 'clear-playout') && after.entries.length > 1
        ? { ...after, entries: before.entries.slice(0, -1) }
        : after,
    ),
  },
  {
    name: 'never takes the outcome of a tool',
    of: (sound) => (state, event) =>
      event.type === 'tool-settled' && state.phase.kind === 'open' ? { state, effects: [] } : sound(state, event),
  },
  {
    name: 'leaves the turn out that is to be answered',
    of: changed((after) => ({
      ...after,
      context: { ...after.context, from: after.context.from > 0 ? after.entries.length : 0 },
    })),
  },
  {
    name: 'hands the caller over before it has said so',
    of: (sound) => (state, event) => {
      const result = sound(state, event);
      const {
        transfer: { active: transfer },
      } = result.state;
      if (transfer === null || transfer.startedAtMs !== null) return result;
      const { id, destination, mode, summary } = transfer;
      return {
        state: {
          ...result.state,
          transfer: { ...result.state.transfer, active: { ...transfer, startedAtMs: event.atMs } },
        },
        effects: [...result.effects, { type: 'transfer', id, destination, mode, summary }],
      };
    },
  },
  {
    name: 'listens to a caller who is muted',
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
  { name: 'never gives a transfer up', of: without('cancel-transfer') },
  { name: 'never asks for the words of the caller', of: without('finalize-stt') },
  {
    name: 'speaks on after the end',
    of: changed((after, before) => (before.phase.kind === 'closed' ? { ...after, phase: { kind: 'open' } } : after)),
  },
];
