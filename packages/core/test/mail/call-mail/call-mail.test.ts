import { sampleCall } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import type { Call } from '../../../src/domain/calls/call.ts';
import { callMail } from '../../../src/mail/call-mail/call-mail.ts';

function call(changes: Partial<Call> = {}): Call {
  return {
    ...sampleCall({ created_at: '2026-01-01T09:00:00.000Z', started_at: '2026-01-01T09:00:00.000Z' }),
    ...{ status: 'ended', end_reason: 'user_hangup', agent_name: 'Anna', caller_phone: '+31612345678' },
    ...{ answered_at: '2026-01-01T09:00:00.000Z', duration_seconds: 83, summary: 'A table for two was booked.' },
    messages: [
      { role: 'assistant', content: 'Restaurant Harbour.' },
      { role: 'user', content: 'A table for two, please.' },
    ],
    ...changes,
  };
}

describe('the notification mail of a call', () => {
  it('contains the caller, the duration, the result and the transcript', () => {
    const { subject, text } = callMail(
      call({ analysis_result: { party_size: 2, followUp: null, isRegular: true, dishes: ['fish', 'wine'] } }),
      'https://r.test/1',
    );
    expect(subject).toBe('Call from +31612345678 (1:23 min) – Anna');
    expect(text).toBe(`Caller: +31612345678
Agent: Anna
Number: +31201234567
Time: 2026-01-01 09:00 UTC
Duration: 1:23 min
End: The caller hung up

SUMMARY
A table for two was booked.

DETAILS
Party size: 2
Is regular: Yes
Dishes: fish, wine

RECORDING
https://r.test/1

TRANSCRIPT
Anna: Restaurant Harbour.
Caller: A table for two, please.
`);
  });

  it('contains the same information in HTML', () => {
    const { html } = callMail(call({ analysis_result: { party_size: 2 } }), 'https://r.test/1?a=1&b=2');
    for (const said of ['+31612345678', 'A table for two was booked.', 'Party size', 'A table for two, please.']) {
      expect(html).toContain(said);
    }
    expect(html).toContain('href="https://r.test/1?a=1&amp;b=2"');
  });

  it('escapes HTML in all values', () => {
    const hostile = `<img src=x onerror=alert(1)> " ' & </td><script>`;
    const { html, subject } = callMail(
      call({
        ...{ summary: hostile, agent_name: hostile, caller_phone: hostile, transfer_destination: hostile },
        ...{ analysis_result: { [hostile]: hostile }, messages: [{ role: 'user', content: hostile }] },
      }),
      `https://r.test/"onclick="alert(1)`,
    );
    expect(html).not.toMatch(/<img|<script|onclick="|<\/td><script/);
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt; &quot; &#39; &amp;');
    expect(subject).toContain('<img');
  });

  it('has a single-line subject', () => {
    const { subject } = callMail(call({ caller_phone: 'a\r\nBcc: x@y.z', agent_name: 'n'.repeat(500) }), null);
    expect(subject).not.toMatch(/[\r\n]/);
    expect(subject.length).toBeLessThanOrEqual(150);
  });

  it('lets each text determine its direction', () => {
    const { html } = callMail(call({ messages: [{ role: 'user', content: 'שלום, שולחן לשניים' }] }), null);
    expect(html).toMatch(/<div dir="auto">שלום/);
  });

  it('is truncated when the transcript is long', () => {
    const messages = Array.from({ length: 5_000 }, () => ({ role: 'user' as const, content: 'x'.repeat(5_000) }));
    const { html, text } = callMail(call({ messages, analysis_result: { long: 'y'.repeat(100_000) } }), null);
    expect(html.length).toBeLessThan(102_000);
    expect(text).toMatch(/… \d+ more messages/);
  });

  it('omits empty sections', () => {
    const { html, text } = callMail(call({ summary: null, messages: [], caller_phone: null }), null);
    expect(text).not.toMatch(/SUMMARY|DETAILS|RECORDING|TRANSCRIPT|Caller/);
    expect(html).not.toMatch(/Summary|Details|Listen|Transcript|null/);
  });
});
