import type { Call, VoiceAgents } from '@va/core';
import { vi } from 'vitest';

/** Returns a list that grows by each call that ends, with its analysis once that is done. */
export function endedCalls({ events }: Pick<VoiceAgents, 'events'>): Call[] {
  const calls: Call[] = [];
  events.on('call.ended', ({ call }) => calls.push(call));
  events.on('call.analyzed', ({ call }) => {
    calls[calls.findIndex(({ id }) => id === call.id)] = call;
  });
  return calls;
}

/** Resolves to the last of so many calls once they have ended and been analyzed. */
export function endedCall(calls: readonly Call[], count: number, timeoutMs = 15_000): Promise<Call> {
  return vi.waitFor(
    () => {
      const call = calls[count - 1];
      if (call === undefined) throw new Error(`${calls.length} of ${count} calls have ended`);
      if (call.analysis_status === 'pending') throw new Error('the record of the call is not read yet');
      return call;
    },
    { timeout: timeoutMs, interval: 20 },
  );
}
