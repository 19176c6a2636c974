import type { SimulatedConversation, SimulatedToolCall } from './conversation.ts';

/**
 * Formats a conversation as text, one line per utterance or event.
 *
 * @example console.log(showConversation(await simulateConversation(options)));
 */
export function showConversation(conversation: SimulatedConversation): string {
  const { lines, tools, durationMs, endReason, error } = conversation;
  const all = [
    ...lines.map(({ atMs, speaker, text }) => ({ atMs, text: `${speaker}: ${text}` })),
    ...tools.map((call) => ({ atMs: call.atMs, text: `  ${showToolCall(call)}` })),
    { atMs: durationMs, text: `ended: ${endReason}${error === null ? '' : ` (${error})`}` },
  ].sort((a, b) => a.atMs - b.atMs);
  return all.map(({ atMs, text }) => `${`${(atMs / 1_000).toFixed(2)} s`.padStart(10)}  ${text}`).join('\n');
}

/** Formats a tool call with its outcome for failure messages. */
export function showToolCall({ name, args, outcome }: SimulatedToolCall): string {
  const came =
    outcome === null ? 'nothing' : 'error' in outcome ? `error: ${outcome.error}` : JSON.stringify(outcome.result);
  return `${name}(${typeof args === 'string' ? args : JSON.stringify(args)}) → ${came}`;
}
