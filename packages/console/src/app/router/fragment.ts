/** A place in the console, in the fragment of the URL: `#/calls/<id>?q=table`. */
export interface ConsoleRoute {
  /** Segments of the path, decoded. */
  readonly path: readonly string[];
  readonly query: Readonly<Record<string, string>>;
}

/** Parses a fragment with or without its `#`. Keeps malformed percent-encoding as it is. */
export function parseFragment(fragment: string): ConsoleRoute {
  const [, path = '', search = ''] = /^#?([^?]*)\??(.*)$/s.exec(fragment) ?? [];
  return {
    path: path.split('/').filter(Boolean).map(decode),
    query: Object.fromEntries(new URLSearchParams(search)),
  };
}

/** Returns the `href` of a route. Omits empty query values. */
export function hrefOf(
  path: readonly string[],
  query: Readonly<Record<string, string | null | undefined>> = {},
): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const search = new URLSearchParams(given).toString();
  return `#/${path.map(encodeURIComponent).join('/')}${search === '' ? '' : `?${search}`}`;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
