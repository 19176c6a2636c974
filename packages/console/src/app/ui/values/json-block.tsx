import type { JSX } from 'preact';

/** Maximum number of characters shown. */
const maxShown = 20_000;

/** Renders a value as indented JSON, and a string unchanged. */
export function JsonBlock({ value }: { readonly value: unknown }): JSX.Element {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
  return <pre class="json-block">{text.length > maxShown ? `${text.slice(0, maxShown)}…` : text}</pre>;
}
