import type { DtmfDigit } from '@va/core/adapter';
import type { SipMessage, SipRequest } from '../../message/message.ts';

const maxDurationMs = 6_000;
const defaultDurationMs = 160;

function toDigit(signal: string): string | null {
  const digit = signal.trim().toUpperCase();
  if (/^[0-9A-D*#]$/.test(digit)) return digit;
  // Some peers send the event code instead of the digit.
  return (
    ({ '10': '*', '11': '#', '12': 'A', '13': 'B', '14': 'C', '15': 'D' } as Record<string, string>)[digit] ?? null
  );
}

function field(text: string, name: string): string | null {
  for (const line of text.split(/\r?\n/, 16)) {
    const equals = line.indexOf('=');
    if (equals !== -1 && line.slice(0, equals).trim().toLowerCase() === name) return line.slice(equals + 1);
  }
  return null;
}

/** Returns the media type of a body, in lower case and without parameters. */
export function contentType(message: SipMessage): string {
  return message.headers.get('Content-Type')?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/**
 * Reads the DTMF digit of an INFO in either of the two common forms: `application/dtmf-relay` with `Signal=5` and
 * `Duration=160`, and `application/dtmf` with the bare digit. Returns null for another INFO. Neither form is
 * standardized.
 */
export function readDtmfInfo(request: SipRequest): DtmfDigit | null {
  const type = contentType(request);
  if (type !== 'application/dtmf-relay' && type !== 'application/dtmf') return null;
  if (request.body.length > 256) return null;
  const text = new TextDecoder().decode(request.body);
  const digit = toDigit(field(text, 'signal') ?? text);
  const durationMs = Number(field(text, 'duration') ?? defaultDurationMs);
  if (digit === null) return null;
  const isPlausible = durationMs > 0 && durationMs <= maxDurationMs;
  return { digit, durationMs: isPlausible ? durationMs : defaultDurationMs };
}
