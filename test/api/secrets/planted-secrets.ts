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

/**
 * Returns the names of the places that contain one of the secrets, with the number of the secret, without duplicates.
 * The secrets must be of one kind, so that each form of them begins or ends with the same text.
 */
export function placesOf(secrets: readonly (string | Uint8Array)[], places: readonly Place[]): [string, number][] {
  const found = new Map<string, [string, number]>();
  const forms = secrets.map(formsOf);
  for (const [kind] of forms[0]?.entries() ?? []) {
    const written = forms.map((each) => each[kind] ?? '');
    const common = commonPart(written);
    // Most places do not even contain the common part, which saves looking for each of the secrets.
    for (const [name, text] of places.filter((place) => place[1].includes(common))) {
      for (const [n, form] of written.entries()) if (text.includes(form)) found.set(`${name} ${n}`, [name, n]);
    }
  }
  return [...found.values()].sort();
}

/** Returns the longer one of the beginning and the end that all texts have in common. */
function commonPart(texts: readonly string[]): string {
  const [first = '', ...others] = texts;
  let [start, end] = [first.length, first.length];
  for (const other of others) {
    while (!other.startsWith(first.slice(0, start))) start -= 1;
    while (!other.endsWith(first.slice(first.length - end))) end -= 1;
  }
  return start > end ? first.slice(0, start) : first.slice(first.length - end);
}
