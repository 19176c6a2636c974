import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { setQuery } from '../../router/route.ts';
import { texts } from '../../texts/en.ts';

/** Submits on Enter, and when the field is cleared. */
export function SearchField({ query }: { readonly query: string }): JSX.Element {
  const [typed, setTyped] = useState(query);
  useEffect(() => setTyped(query), [query]);
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setQuery({ q: typed.trim() });
        }}
      >
        <input
          type="search"
          aria-label={texts.calls.search}
          placeholder={texts.calls.search}
          maxLength={1_000}
          value={typed}
          onInput={(event) => {
            setTyped(event.currentTarget.value);
            if (event.currentTarget.value === '') setQuery({ q: null });
          }}
        />
      </form>
    </search>
  );
}
