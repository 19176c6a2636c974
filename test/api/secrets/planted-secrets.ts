import { Buffer } from 'node:buffer';

/** A text of the kind, which stands nowhere else. */
export function planted(prefix: string): string {
  return `${prefix}PLANTED${Buffer.from(crypto.getRandomValues(new Uint8Array(15))).toString('hex')}`;
}

/** The ways in which a secret can be written down. */
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

/** A place where something can be read, and what stands there. */
export type Place = readonly [name: string, text: string];

/** Where of all these places a secret can be read, each once. */
export function placesOf(secret: string | Uint8Array, places: readonly Place[]): string[] {
  const forms = formsOf(secret);
  const found = places.filter(([, text]) => forms.some((form) => text.includes(form)));
  return [...new Set(found.map(([name]) => name))].sort();
}
