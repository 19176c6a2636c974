/**
 * The payload of a named telephone event.
 *
 *     |     event     |E|R| volume    |          duration             |
 *
 * @see RFC 4733 §2.3
 */
export interface TelephoneEvent {
  readonly digit: string;
  readonly end: boolean;
  /** Time since the start of the event, in timestamp units. */
  readonly duration: number;
}

const digits = '0123456789*#ABCD';
const payloadBytes = 4;
const volume = 10;

/** Returns null if the payload is too short or the event is not a digit. */
export function parseTelephoneEvent(payload: Uint8Array): TelephoneEvent | null {
  const digit = digits[payload[0] ?? digits.length];
  if (payload.length < payloadBytes || digit === undefined) return null;
  const duration = ((payload[2] as number) << 8) | (payload[3] as number);
  return { digit, end: (payload[1] as number) >= 0x80, duration };
}

/** Returns null if `digit` is not a DTMF digit. */
export function writeTelephoneEvent(event: TelephoneEvent): Uint8Array | null {
  const code = digits.indexOf(event.digit.toUpperCase());
  if (code === -1 || event.digit.length !== 1) return null;
  const payload = new Uint8Array(payloadBytes);
  payload[0] = code;
  payload[1] = (event.end ? 0x80 : 0) | volume;
  payload[2] = event.duration >> 8;
  payload[3] = event.duration;
  return payload;
}
