import { Buffer } from 'node:buffer';

/** Creates a unique text with this prefix. */
export function planted(prefix: string): string {
  return `${prefix}PLANTED${Buffer.from(crypto.getRandomValues(new Uint8Array(15))).toString('hex')}`;
}

/** Returns the encodings in which a secret can appear. */
export function formsOf(secret: string | Uint8Array): string[] {
  const bytes = Buffer.from(secret);
  const forms = [
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
  ];
  if (typeof secret !== 'string') return forms;
  return [secret, encodeURIComponent(secret), [...secret].reverse().join(''), ...forms];
}

/** A place where text can leak, and its content. */
export type Place = readonly [name: string, text: string];

/** Returns the names of the places that contain the secret, without duplicates. */
export function placesOf(secret: string | Uint8Array, places: readonly Place[]): string[] {
  const forms = formsOf(secret);
  const found = places.filter(([, text]) => forms.some((form) => text.includes(form)));
  return [...new Set(found.map(([name]) => name))].sort();
}
