import type { JSX } from 'preact';

/** Characters of a value that are shown. */
const maxShown = 20_000;

/** A value as indented JSON; text as it is. */
export function JsonBlock({ value }: { readonly value: unknown }): JSX.Element {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
  return <pre class="json-block">{text.length > maxShown ? `${text.slice(0, maxShown)}…` : text}</pre>;
}
