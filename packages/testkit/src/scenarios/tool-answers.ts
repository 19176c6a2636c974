import type { Clock, WebhookOutcome } from '@va/core/adapter';
import type { ReceivedToolCall } from '../scripted/customer-server.ts';
import type { Scenario } from './scenario.ts';

/**
 * Returns a function that answers tool calls as the customer's server: each call of a tool gets the next response of
 * that tool, after its delay.
 */
export function toolAnswers(
  { tools = {} }: Scenario,
  clock: Clock,
): (call: ReceivedToolCall, signal: AbortSignal) => Promise<WebhookOutcome> {
  const asked = new Map<string, number>();
  return async ({ name }, signal) => {
    const index = asked.get(name) ?? 0;
    asked.set(name, index + 1);
    const answers = tools[name] ?? [];
    const answer = answers[Math.min(index, answers.length - 1)];
    if (answer === undefined) throw new Error(`the script has no response of the tool ${name}`);
    await new Promise<void>((resolve) => {
      const timer = 'never' in answer ? null : clock.setTimer(answer.afterMs ?? 0, resolve);
      signal.addEventListener('abort', () => timer?.cancel(), { once: true });
    });
    return 'status' in answer
      ? { ok: false, reason: 'status', status: answer.status, message: `responded ${answer.status}`, latencyMs: 0 }
      : { ok: true, status: 200, body: 'body' in answer ? answer.body : null, latencyMs: 0 };
  };
}
