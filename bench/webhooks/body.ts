import { transcript } from './settings.ts';

/** Returns the content of a message; `sent_at` is the time of its event. */
export function contentOf(n: number): Record<string, unknown> {
  return {
    sent_at: performance.timeOrigin + performance.now(),
    call: { id: `call-${n}`, type: 'inboundPhoneCall', status: 'ended' },
    messages: transcript,
  };
}

export function bodyOf(n: number): string {
  return JSON.stringify({ message: { type: 'end-of-call-report', ...contentOf(n) } });
}
