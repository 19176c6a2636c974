import type { PressKeysTool } from '../../domain/agents/tools/tool.ts';
import { defaultToneMs, dtmfKeysPattern } from '../../domain/numbers/dtmf-keys.ts';
import type { LlmTool, ToolCallRequest } from '../../ports/providers/language-model.ts';
import type { ConversationState } from '../state/conversation-state.ts';
import type { Emit } from '../state/effects.ts';
import { parseArguments } from '../tools/arguments.ts';
import { toolSettled } from '../tools/settle-tool.ts';

/** Returns the tool, as offered to the model, by which the model presses keys, such as in an automated menu. */
export function keysTool(tool: PressKeysTool, name: string): LlmTool {
  return {
    name,
    description:
      tool.description ??
      'Presses keys of the phone, to choose from a menu ("press 1 for sales") or to enter a number or an extension. ' +
        'Listen to what the other side says afterwards before you say or press anything else.',
    parameters: {
      type: 'object',
      properties: {
        keys: {
          type: 'string',
          description: 'The keys: 0-9, *, #, and w or W for a pause of half a second or a second.',
        },
      },
      required: ['keys'],
    },
  };
}

/**
 * Handles a tool call that presses keys. The keys are sent once the agent has finished speaking, because they replace
 * its audio.
 */
export function keysCalled(
  state: ConversationState,
  tool: PressKeysTool,
  call: ToolCallRequest,
  emit: Emit,
): ConversationState {
  const refuse = (error: string): ConversationState => toolSettled(state, call.id, { ok: false, error }, emit);
  if (!state.config.canPressKeys) return refuse('Keys cannot be pressed on this line.');
  if (state.transfer.active !== null) return refuse('The caller is being transferred.');
  const args = parseArguments(call.arguments);
  if (args === null) return refuse('The arguments are not a JSON object.');
  const keys = typeof args.keys === 'string' ? args.keys.replaceAll(/[\s-]/g, '') : '';
  if (!dtmfKeysPattern.test(keys)) return refuse('keys must be 1 to 100 of 0-9, *, #, A-D, w and W.');
  const settled = toolSettled(state, call.id, { ok: true, result: 'The keys are being pressed.' }, emit);
  const press = { keys, toneMs: tool.duration_ms ?? defaultToneMs };
  return { ...settled, playout: { ...settled.playout, keys: [...settled.playout.keys, press] } };
}

/** Sends the keys that the model pressed, unless the agent is speaking. */
export function sendKeysWhenSilent(state: ConversationState, emit: Emit): ConversationState {
  const { agentTurn, playout } = state;
  if (playout.keys.length === 0 || agentTurn.kind !== 'silent' || state.phase.kind === 'closed') return state;
  for (const press of playout.keys) emit({ type: 'press-keys', ...press });
  return { ...state, playout: { ...playout, keys: [] } };
}
