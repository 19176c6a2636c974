import { agents } from './agents.ts';
import { calls } from './calls.ts';
import { health } from './health.ts';
import { numbers } from './numbers.ts';

/** Every operation of the API, by group and name. */
export const routes = { agents, numbers, calls, health };

export type RouteTable = typeof routes;
