import { isUuid } from '@va/core';
import { RegExpRouter } from 'hono/router/reg-exp-router';
import { SmartRouter } from 'hono/router/smart-router';
import { TrieRouter } from 'hono/router/trie-router';
import type { Method, Route } from '../routes/route.ts';

export interface RouteMatch {
  readonly route: Route;
  /** Decoded. */
  readonly params: Readonly<Record<string, string>>;
}

/** All of the routes at one path. */
interface Endpoint {
  readonly routes: Map<string, Route>;
}

const noParams: Readonly<Record<string, string>> = Object.freeze({});

/** Finds routes by method and path; built once. */
export class Router {
  readonly #router = new SmartRouter<Endpoint>({ routers: [new RegExpRouter(), new TrieRouter()] });

  constructor(routes: Iterable<Route>) {
    const endpoints = new Map<string, Endpoint>();
    for (const route of routes) {
      for (const path of [route.path, ...route.aliases]) {
        const endpoint = endpoints.get(path) ?? { routes: new Map<string, Route>() };
        if (endpoint.routes.has(route.method)) throw new Error(`There are two routes for ${route.method} ${path}.`);
        endpoint.routes.set(route.method, route);
        endpoints.set(path, endpoint);
      }
    }
    // The router gives all that match in this order, and a written segment goes before a parameter.
    const paths = [...endpoints.keys()].sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
    for (const path of paths) this.#router.add('ALL', path, endpoints.get(path) ?? { routes: new Map() });
    this.#router.match('ALL', '/');
  }

  /**
   * The route for a request, or the methods that there are at its path. Null where there is nothing, and where a
   * parameter is not well-formed.
   * @param path below `/api/v1`, percent-encoded
   */
  match(method: string, path: string): RouteMatch | { readonly methods: readonly Method[] } | null {
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
    return { methods: [...new Set(routes.map((route) => route.method))] };
  }
}

/** Hono's routers give parameters by value, or by their place in the match. */
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
    // Capitals are the same digits (RFC 9562 §4).
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

/** Sorts `:id` behind every segment that is written out. */
function rank(path: string): string {
  return path.replaceAll(':', '\uffff');
}
