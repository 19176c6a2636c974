import type { TransferCallTool } from '../../domain/agents/tools/tool.ts';
import type { LlmTool, ToolCallRequest } from '../../ports/providers/language-model.ts';
import { agentEntry, modelText, say } from '../agent-turn/reply.ts';
import type { ConversationState } from '../state/conversation-state.ts';
import type { Emit } from '../state/effects.ts';
import { parseArguments } from '../tools/arguments.ts';
import { toolSettled } from '../tools/settle-tool.ts';
import { planTransfer } from '../transfer/transfer.ts';

/**
 * Returns the tool, as offered to the model, by which the model transfers the caller to one of the tool's destinations.
 */
export function transferTool(tool: TransferCallTool, name: string): LlmTool {
  const numbers = [...new Set(tool.destinations.map(({ number }) => number))];
  const listed = tool.destinations.map(({ number, description = '' }) =>
    `${number}: ${description}`.replace(/: $/, ''),
  );
  const isWarm = tool.destinations.some(({ mode }) => mode === 'warm');
  const summary = {
    type: 'string',
    description: 'What whoever takes over has to know: who calls, what they want, and what was said and done so far.',
  };
  return {
    name,
    description: tool.description ?? 'Hands the caller over to somebody else. The call with you is over then.',
    parameters: {
      type: 'object',
      properties: {
        destination: { type: 'string', enum: numbers, description: `Whom to. ${listed.join('; ')}` },
        reason: { type: 'string', description: 'Why the caller is handed over.' },
        ...(isWarm ? { summary } : {}),
      },
      required: ['destination', ...(isWarm ? ['summary'] : [])],
    },
  };
}

/** Handles a tool call that transfers the caller. The outcome of the transfer becomes the result of the tool call. */
export function transferCalled(
  state: ConversationState,
  tool: TransferCallTool,
  event: { call: ToolCallRequest; generation: number; atMs: number },
  emit: Emit,
): ConversationState {
  const { call } = event;
  const refuse = (error: string): ConversationState => toolSettled(state, call.id, { ok: false, error }, emit);
  if (!state.config.canTransfer) return refuse('Calls cannot be transferred on this line. Help the caller yourself.');
  if (state.phase.kind !== 'open') return refuse('The call is ending.');
  if (state.transfer.active !== null) return refuse('The caller is being transferred already.');
  const args = parseArguments(call.arguments);
  if (args === null) return refuse('The arguments are not a JSON object.');
  const destination = tool.destinations.find(({ number }) => number === args.destination);
  if (destination === undefined) {
    const known = tool.destinations.map(({ number }) => number).join(', ');
    return refuse(`There is no such destination. There are: ${known}`);
  }
  const planned = planTransfer(state, {
    destination: destination.number,
    mode: destination.mode ?? 'blind',
    keysOnAnswer: destination.send_digits ?? null,
    callId: call.id,
    summary: textOf(args.summary) ?? textOf(args.reason),
  });
  const message = destination.message ?? tool.message;
  return message === undefined ? planned : announce(planned, { ...event, text: message }, emit);
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

/** Says the message before a transfer, unless the model has said something itself. */
function announce(
  state: ConversationState,
  { generation, text, atMs }: { generation: number; text: string; atMs: number },
  emit: Emit,
): ConversationState {
  const { agentTurn, config } = state;
  const entry = agentTurn.kind === 'active' && agentTurn.llm !== null ? agentEntry(state, agentTurn.llm.entry) : null;
  if (entry?.full.trim() !== '') return state;
  // A speech-to-speech model reads the text out as a separate utterance.
  return config.isRealtime
    ? say(state, text, { interruptible: true, atMs }, emit)
    : modelText(state, { generation, text: `${text} `, atMs }, emit);
}
