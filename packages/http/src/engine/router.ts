import { isUuid } from '@va/core/adapter';
import { RegExpRouter } from 'hono/router/reg-exp-router';
import { SmartRouter } from 'hono/router/smart-router';
import { TrieRouter } from 'hono/router/trie-router';
import type { Method, Route } from '../route/route.ts';

/** The route of a request. */
export interface RouteMatch {
  readonly route: Route;
  /** Decoded parameters of the path. */
  readonly params: Readonly<Record<string, string>>;
}

/** The routes of one path, by method. */
interface PathRoutes {
  readonly routes: Map<string, Route>;
}

const noParams: Readonly<Record<string, string>> = Object.freeze({});

/** Matches requests to routes by method and path. Immutable after construction. */
export class Router {
  readonly #router = new SmartRouter<PathRoutes>({ routers: [new RegExpRouter(), new TrieRouter()] });

  constructor(routes: Iterable<Route>) {
    const endpoints = new Map<string, PathRoutes>();
    for (const route of routes) {
      for (const path of [route.path, ...route.aliases]) {
        const endpoint = endpoints.get(path) ?? { routes: new Map<string, Route>() };
        if (endpoint.routes.has(route.method)) throw new Error(`Two routes are defined for ${route.method} ${path}.`);
        endpoint.routes.set(route.method, route);
        endpoints.set(path, endpoint);
      }
    }
    // Hono's router returns matches in the order of `add`: literal segments have to come before parameters.
    const paths = [...endpoints.keys()].sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
    for (const path of paths) this.#router.add('ALL', path, endpoints.get(path) ?? { routes: new Map() });
    this.#router.match('ALL', '/');
  }

  /**
   * Returns the matching route, or the allowed methods and their routes if only the path matches. Returns null for an
   * unknown path or a malformed parameter.
   * @param path below `/api/v1`, percent-encoded
   */
  match(
    method: string,
    path: string,
  ): RouteMatch | { readonly methods: readonly Method[]; readonly routes: readonly Route[] } | null {
    const [matches, stash] = this.#router.match('ALL', path);
    if (matches.length === 0) return null;
    const wanted = method === 'HEAD' ? 'GET' : method;
    for (const [endpoint, found] of matches) {
      const route = endpoint.routes.get(wanted);
      if (route === undefined) continue;
      const params = readParams(found, stash);
      return params === null ? null : { route, params };
    }
    const routes = matches.flatMap(([endpoint]) => [...endpoint.routes.values()]);
    return { methods: [...new Set(routes.map((route) => route.method))], routes };
  }
}

/**
 * Returns the decoded parameters of a path; null if one is malformed. Hono's routers return them either by value or as
 * indexes into `stash`.
 */
function readParams(
  found: Readonly<Record<string, string | number>>,
  stash: readonly string[] | undefined,
): Readonly<Record<string, string>> | null {
  const names = Object.keys(found);
  if (names.length === 0) return noParams;
  const params: Record<string, string> = {};
  for (const name of names) {
    const value = found[name] ?? '';
    const text = typeof value === 'number' ? (stash?.[value] ?? '') : value;
    const decoded = text.includes('%') ? decode(text) : text;
    if (decoded === null) return null;
    // UUIDs are case-insensitive (RFC 9562 §4).
    params[name] = isUuid(decoded) ? decoded.toLowerCase() : decoded;
  }
  return params;
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** Returns a sort key that places literal segments before parameters. */
function rank(path: string): string {
  return path.replaceAll(':', '\uffff');
}
