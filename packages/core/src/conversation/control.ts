import { cutAgentOff } from './agent-speech.ts';
import { say, tellModel } from './agent-turn.ts';
import { beginClosing } from './closing.ts';
import type { Emit } from './effects.ts';
import type { ConversationEvent } from './events.ts';
import type { ConversationState } from './state.ts';
import { transferAsked } from './transfer.ts';

/** What somebody in charge asks of a conversation from outside. One that is ending takes no more of it. */
export type ControlEvent = Extract<
  ConversationEvent,
  { type: 'say' | 'context-injected' | 'mute-changed' | 'prompt-changed' | 'transfer-asked' }
>;

export function controlled(state: ConversationState, event: ControlEvent, emit: Emit): ConversationState {
  if (state.phase.kind !== 'open') return state;
  switch (event.type) {
    case 'say': {
      const said = say(state, event.text, event, emit);
      return event.endAfter ? beginClosing(said, { reason: 'api_hangup', error: null }, event.atMs) : said;
    }
    case 'context-injected':
      return tellModel(state, event, emit);
    case 'mute-changed':
      return { ...(event.isMuted ? cutAgentOff(state, null, emit) : state), isMuted: event.isMuted };
    case 'transfer-asked':
      return transferAsked(state, event, emit);
    case 'prompt-changed':
      emit({ type: 'model-instructed', systemPrompt: event.systemPrompt });
      return { ...state, config: { ...state.config, systemPrompt: event.systemPrompt } };
  }
}
