import { splitOutside } from './tokens.ts';

/** @see RFC 3261 §7.3.3, RFC 3515, RFC 4028, RFC 6665 */
const compactForms = new Map<string, string>([
  ['a', 'Accept-Contact'],
  ['b', 'Referred-By'],
  ['c', 'Content-Type'],
  ['e', 'Content-Encoding'],
  ['f', 'From'],
  ['i', 'Call-ID'],
  ['k', 'Supported'],
  ['l', 'Content-Length'],
  ['m', 'Contact'],
  ['o', 'Event'],
  ['r', 'Refer-To'],
  ['s', 'Subject'],
  ['t', 'To'],
  ['u', 'Allow-Events'],
  ['v', 'Via'],
  ['x', 'Session-Expires'],
]);

interface HeaderField {
  readonly name: string;
  readonly key: string;
  readonly value: string;
}

function field(name: string, value: string): HeaderField {
  const full = compactForms.get(name.toLowerCase()) ?? name;
  return { name: full, key: full.toLowerCase(), value };
}

/** Ordered header fields of a message. Names are case-insensitive, and compact forms match their full name. */
export class SipHeaders {
  #fields: HeaderField[] = [];

  static of(fields: Iterable<readonly [string, string]>): SipHeaders {
    const headers = new SipHeaders();
    for (const [name, value] of fields) headers.add(name, value);
    return headers;
  }

  get size(): number {
    return this.#fields.length;
  }

  /** Returns the value of the first field of that name. */
  get(name: string): string | undefined {
    const key = name.toLowerCase();
    return this.#fields.find((each) => each.key === key)?.value;
  }

  /** Returns the value of each field of that name; comma-separated lists are not split. */
  all(name: string): string[] {
    const key = name.toLowerCase();
    return this.#fields.filter((each) => each.key === key).map((each) => each.value);
  }

  /** Returns the list elements of all fields of that name. A field with an unclosed quote counts as one element. */
  list(name: string): string[] {
    return this.all(name).flatMap((value) => (splitOutside(value, ',') ?? [value]).filter((part) => part !== ''));
  }

  add(name: string, value: string): this {
    this.#fields.push(field(name, value));
    return this;
  }

  /** Replaces all fields of that name by one. */
  set(name: string, value: string): this {
    return this.remove(name).add(name, value);
  }

  /** Replaces the first list element of the first field of that name in place. */
  replaceFirst(name: string, value: string): this {
    const key = name.toLowerCase();
    const index = this.#fields.findIndex((each) => each.key === key);
    const [, ...others] = splitOutside(this.#fields[index]?.value ?? '', ',') ?? [];
    if (index !== -1) this.#fields[index] = field(name, [value, ...others].join(', '));
    return this;
  }

  remove(name: string): this {
    const key = name.toLowerCase();
    this.#fields = this.#fields.filter((each) => each.key !== key);
    return this;
  }

  *entries(): IterableIterator<readonly [name: string, value: string]> {
    for (const each of this.#fields) yield [each.name, each.value];
  }
}
