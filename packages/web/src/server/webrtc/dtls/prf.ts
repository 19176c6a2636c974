import { createHmac } from 'node:crypto';

/** Computes the pseudorandom function of TLS 1.2 with SHA-256. @see RFC 5246 §5 */
export function prf(secret: Uint8Array, label: string, seed: Uint8Array, length: number): Buffer {
  const labeled = Buffer.concat([Buffer.from(label, 'latin1'), seed]);
  const hmac = (...data: readonly Uint8Array[]): Buffer => {
    const each = createHmac('sha256', secret);
    for (const part of data) each.update(part);
    return each.digest();
  };
  const blocks: Buffer[] = [];
  for (let a = hmac(labeled), size = 0; size < length; a = hmac(a), size += 32) blocks.push(hmac(a, labeled));
  return Buffer.concat(blocks).subarray(0, length);
}
