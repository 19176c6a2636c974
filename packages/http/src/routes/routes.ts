import { agentRoutes } from './agents.ts';
import { callRoutes } from './calls.ts';
import { healthRoute } from './health.ts';
import { numberRoutes } from './numbers.ts';
import type { Route } from './route.ts';

/** Every operation of the API. */
export const routes: readonly Route[] = [healthRoute, ...agentRoutes, ...numberRoutes, ...callRoutes];
