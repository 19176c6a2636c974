/**
 * Encodes the fields of a form, which a parser of the host has read, as `application/x-www-form-urlencoded`. Returns
 * null for a value that is not an object. The result may differ from the bytes received: signatures of carriers'
 * webhooks cover the fields, not the bytes.
 */
export function formBytes(parsed: unknown): Uint8Array | null {
  if (typeof parsed !== 'object' || parsed === null) return null;
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(parsed)) {
    for (const each of Array.isArray(value) ? value : [value]) form.append(name, String(each));
  }
  return Buffer.from(form.toString());
}
