import { cutAgentOff } from './agent-turn/playout.ts';
import { addContextMessage, say } from './agent-turn/reply.ts';
import { beginClosing } from './ending/begin-closing.ts';
import type { ConversationState } from './state/conversation-state.ts';
import type { Emit } from './state/effects.ts';
import type { ConversationEvent } from './state/events.ts';
import { handBack, takeOver } from './transfer/take-over.ts';
import { transferAsked } from './transfer/transfer.ts';

/** Commands of the API and of supervisors. They have no effect unless the conversation is open. */
export type ControlEvent = Extract<
  ConversationEvent,
  { type: 'say' | 'context-injected' | 'mute-changed' | 'taken-over' | 'prompt-changed' | 'transfer-asked' }
>;

/** Commands that make the agent act. They have no effect while a supervisor has taken over. */
const needsAgent: ReadonlySet<ControlEvent['type']> = new Set(['say', 'transfer-asked']);

export function controlled(state: ConversationState, event: ControlEvent, emit: Emit): ConversationState {
  if (state.phase.kind !== 'open' || (state.playout.isTakenOver && needsAgent.has(event.type))) return state;
  switch (event.type) {
    case 'say': {
      const said = say(state, event.text, event, emit);
      return event.endAfter ? beginClosing(said, { reason: 'api_hangup', error: null }, event.atMs) : said;
    }
    case 'context-injected':
      return addContextMessage(state, event, emit);
    case 'mute-changed': {
      const changed = event.isMuted ? cutAgentOff(state, null, emit) : state;
      return { ...changed, playout: { ...changed.playout, isMuted: event.isMuted } };
    }
    case 'taken-over':
      return event.isTakenOver ? takeOver(state, emit) : handBack(state, emit);
    case 'transfer-asked':
      return transferAsked(state, event, emit);
    case 'prompt-changed': {
      const { languages } = event;
      const current = languages.find(({ language }) => language === state.config.language) ?? languages[0];
      const systemPrompt = current?.systemPrompt ?? [];
      emit({ type: 'model-instructed', systemPrompt });
      return { ...state, config: { ...state.config, systemPrompt, languages } };
    }
  }
}
