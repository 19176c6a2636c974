import { routes } from '@va/http';
import type { Route } from '../../../packages/http/src/route/route.ts';

export interface ServedRoute {
  /** `group.name`, as in the table of routes. */
  readonly name: string;
  readonly route: Route;
  /** `METHOD /path/{id}` of the route and its aliases, relative to `/api/v1`. */
  readonly operations: readonly [string, ...string[]];
}

/** Every route of the API. */
export const servedRoutes: readonly ServedRoute[] = Object.entries(routes).flatMap(([group, named]) =>
  Object.entries<Route>(named).map(([name, route]) => ({
    name: `${group}.${name}`,
    route,
    operations: [operationOf(route, route.path), ...route.aliases.map((alias) => operationOf(route, alias))],
  })),
);

function operationOf({ method }: Route, path: string): string {
  return `${method} ${path.replace(/:(\w+)/g, '{$1}')}`;
}
