import { computed, signal } from '@preact/signals';

/** The current route, parsed from the URL fragment: `#/calls/<id>?q=table`. */
export interface ConsoleRoute {
  /** Segments of the path, decoded. */
  readonly path: readonly string[];
  readonly query: Readonly<Record<string, string>>;
}

const hash = signal(location.hash);
addEventListener('hashchange', () => {
  hash.value = location.hash;
});

export const route = computed<ConsoleRoute>(() => parse(hash.value));

/** Returns the `href` of a route. Omits empty query values. */
export function hrefOf(
  path: readonly string[],
  query: Readonly<Record<string, string | null | undefined>> = {},
): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const search = new URLSearchParams(given).toString();
  return `#/${path.map(encodeURIComponent).join('/')}${search === '' ? '' : `?${search}`}`;
}

export function navigate(path: readonly string[], query?: Readonly<Record<string, string | null | undefined>>): void {
  location.hash = hrefOf(path, query);
}

/** Replaces the query of the current route without a history entry. */
export function setQuery(changes: Readonly<Record<string, string | null | undefined>>): void {
  const { path, query } = route.value;
  history.replaceState(null, '', hrefOf(path, { ...query, ...changes }));
  hash.value = location.hash;
}

function parse(fragment: string): ConsoleRoute {
  const [path = '', search = ''] = fragment.replace(/^#\/?/, '').split('?');
  return {
    path: path.split('/').filter(Boolean).map(decode),
    query: Object.fromEntries(new URLSearchParams(search)),
  };
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
