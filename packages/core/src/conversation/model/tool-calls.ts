import { toolName } from '../../domain/agents/tools/tool.ts';
import type { LlmTool, ToolCallRequest } from '../../ports/providers/language-model.ts';
import { agentEntry, mayUseTools, modelText, modelToolCall } from '../agent-turn/reply.ts';
import { beginClosing } from '../ending/begin-closing.ts';
import type { ConversationState } from '../state/conversation-state.ts';
import type { Emit } from '../state/effects.ts';
import type { CallTool } from '../state/tools/call-tool.ts';
import { enter } from '../state/tools/tool-ledger.ts';
import { parseArguments } from '../tools/arguments.ts';
import { toolSettled } from '../tools/settle-tool.ts';
import { keysCalled, keysTool } from './keys-tool.ts';
import { transferCalled, transferTool } from './transfer-tool.ts';

/** Returns the tools offered to the model. */
export function offeredTools(tools: readonly CallTool[]): LlmTool[] {
  return tools.flatMap((tool): LlmTool[] => {
    if (tool.type === 'transferCall') return [transferTool(tool, toolName(tool))];
    if (tool.type === 'pressKeys') return [keysTool(tool, toolName(tool))];
    if (tool.type !== 'endCall')
      return [{ name: tool.name, description: tool.description, parameters: tool.parameters }];
    return [
      {
        name: toolName(tool),
        description: tool.description ?? 'Ends the call. Say goodbye first.',
        parameters: { type: 'object', properties: {} },
      },
    ];
  });
}

/** Takes a tool call of the model: enters it in the ledger and runs it, or settles it at once if it cannot be run. */
export function toolCalled(
  state: ConversationState,
  event: { generation: number; call: ToolCallRequest; atMs: number },
  emit: Emit,
): ConversationState {
  const { generation, atMs } = event;
  const accepted = modelToolCall(state, event);
  if (accepted === null) return state;
  const { state: noted, call } = accepted;
  emit({ type: 'notice', notice: { type: 'tool-call', call } });
  const entered: ConversationState = { ...noted, tools: enter(noted.tools, call) };
  if (state.agentTurn.kind === 'active' && !mayUseTools(state, state.agentTurn)) {
    return toolSettled(entered, call.id, { ok: false, error: 'Too many tool calls in one turn.' }, emit);
  }
  if (state.phase.kind === 'closing' && state.phase.farewell !== null) {
    return toolSettled(entered, call.id, { ok: false, error: 'cancelled: the call is ending' }, emit);
  }
  const tool = state.config.tools.find((each) => toolName(each) === call.name);
  if (tool === undefined) {
    return toolSettled(entered, call.id, { ok: false, error: `There is no tool ${call.name}.` }, emit);
  }
  if (tool.type === 'transferCall') return transferCalled(entered, tool, { call, generation, atMs }, emit);
  if (tool.type === 'pressKeys') return keysCalled(entered, tool, call, emit);
  if (tool.type === 'endCall' && state.transfer.active !== null) {
    return toolSettled(entered, call.id, { ok: false, error: 'The caller is being transferred.' }, emit);
  }
  const announced =
    tool.message === undefined || state.config.isRealtime
      ? entered
      : announce(entered, { generation, text: tool.message, atMs }, emit);
  if (tool.type === 'endCall') {
    const settled = toolSettled(announced, call.id, { ok: true, result: 'The call is ending.' }, emit);
    return beginClosing(settled, { reason: 'agent_hangup', error: null }, atMs);
  }
  const args = parseArguments(call.arguments);
  if (args === null) {
    return toolSettled(announced, call.id, { ok: false, error: 'The arguments are not a JSON object.' }, emit);
  }
  emit({ type: 'run-tool', call, tool, arguments: args });
  return tool.async ? toolSettled(announced, call.id, { ok: true, result: 'accepted' }, emit) : announced;
}

/** Says the tool's message while the tool runs, unless the model has already said something itself. */
function announce(
  state: ConversationState,
  event: { generation: number; text: string; atMs: number },
  emit: Emit,
): ConversationState {
  const { agentTurn } = state;
  const entry = agentTurn.kind === 'active' && agentTurn.llm !== null ? agentEntry(state, agentTurn.llm.entry) : null;
  return entry?.full !== '' ? state : modelText(state, { ...event, text: `${event.text} ` }, emit);
}
