/** Media type of a fragment of a message. @see RFC 3420 */
export const sipfragType = 'message/sipfrag';

/** Returns the status of the status line at the start of a NOTIFY's body; null without one. @see RFC 3515 §2.4.5 */
export function readSipfrag(body: Uint8Array): { readonly status: number; readonly reason: string } | null {
  const text = new TextDecoder().decode(body.subarray(0, 512)).trimStart();
  const match = /^SIP\/2\.0 +([1-6]\d\d)(?: +([^\r\n]*))?/i.exec(text);
  return match === null ? null : { status: Number(match[1]), reason: (match[2] ?? '').trim() };
}

export function writeSipfrag(status: number, reason: string): Uint8Array {
  return new TextEncoder().encode(`SIP/2.0 ${status} ${reason}\r\n`);
}
