import type { Party } from '@va/core/adapter';

/** Returns the party of an address: an E.164 number, a SIP address, a client name, or `anonymous`. */
export function partyOf(address: string | null, name: string | null = null): Party {
  const text = (address ?? 'anonymous').slice(0, 256);
  const number = /^sips?:([^@;]+)/.exec(text)?.[1] ?? text;
  return { number, displayName: name?.slice(0, 256) ?? null, uri: text };
}

/** Adds the `+` of E.164 to a number without it. Other strings are returned unchanged. */
export function withPlus(text: string): string {
  return /^[1-9]\d{6,14}$/.test(text) ? `+${text}` : text;
}
