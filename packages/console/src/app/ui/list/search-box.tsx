import type { JSX } from 'preact';
import { setQuery } from '../../router/route.ts';

/** A search field whose text is the query parameter `q` of the URL. */
export function SearchBox({ label, value }: { readonly label: string; readonly value: string }): JSX.Element {
  return (
    <search>
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={value}
        onInput={(event) => setQuery({ q: event.currentTarget.value })}
      />
    </search>
  );
}
