type QueryValue = string | number | boolean;

/** Query parameters by name. A list is sent as one parameter for each value; undefined is left out. */
type Query = Readonly<Record<string, QueryValue | readonly QueryValue[] | undefined>>;

/** Returns the URL of a WebSocket. Later queries replace the parameters of earlier ones. */
export function socketUrl(baseUrl: string, path: string, ...queries: readonly Query[]): string {
  const url = new URL(path, baseUrl.replace(/^http/, 'ws'));
  for (const [name, value] of Object.entries(Object.assign({}, ...queries) as Query)) {
    if (value === undefined) continue;
    for (const each of Array.isArray(value) ? value : [value]) url.searchParams.append(name, String(each));
  }
  return url.href;
}
