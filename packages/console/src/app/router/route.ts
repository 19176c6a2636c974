import { computed, signal } from '@preact/signals';
import { type ConsoleRoute, hrefOf, parseFragment } from './fragment.ts';

const hash = signal(location.hash);
addEventListener('hashchange', () => {
  hash.value = location.hash;
});

/** The current route. */
export const route = computed<ConsoleRoute>(() => parseFragment(hash.value));

export function navigate(path: readonly string[], query?: Readonly<Record<string, string | null | undefined>>): void {
  location.hash = hrefOf(path, query);
}

/** Replaces the query of the current route without a history entry. */
export function setQuery(changes: Readonly<Record<string, string | null | undefined>>): void {
  const { path, query } = route.value;
  history.replaceState(null, '', hrefOf(path, { ...query, ...changes }));
  hash.value = location.hash;
}
