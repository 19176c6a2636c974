import { toolName } from '../../../domain/agents/tools/tool.ts';
import type { ToolCallRequest } from '../../../ports/providers/language-model.ts';
import type { ConversationState } from '../conversation-state.ts';

/** Returns true if all of a reply's tool calls, if any, pressed keys: the far end, and not the model, speaks next. */
export function onlyPressedKeys({ config, tools }: ConversationState, calls: readonly ToolCallRequest[]): boolean {
  return calls.every(({ id, name }) => {
    const tool = config.tools.find((each) => toolName(each) === name);
    return tool?.type === 'pressKeys' && tools.get(id)?.outcome?.ok === true;
  });
}
