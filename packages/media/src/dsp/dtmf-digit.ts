/** A digit that the far end pressed: `0`–`9`, `*`, `#`, `A`–`D`. @see RFC 4733 §3.2 */
export interface DtmfDigit {
  readonly digit: string;
  readonly durationMs: number;
}
