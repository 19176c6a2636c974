import { transcript } from './settings.ts';

/** What a message says beside its type and time; `sent_at` is when its event happened. */
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
