import type { Operation } from '../operation-table.ts';
import type { ApiRequest } from './transport.ts';

/**
 * The request of an operation, with the ids in its path, and what else it was given. Throws `TypeError` for an id that
 * would make another path of it.
 */
export function requestOf({ at, takes }: Operation, args: readonly unknown[]): ApiRequest {
  const [method = '', template = ''] = at.split(' ');
  let used = 0;
  const path = template.slice(1).replace(/:(\w+)/g, (_, name: string) => {
    used += 1;
    return encodeSegment(name, args[used - 1]);
  });
  const given = args[used];
  if (takes === 'body') return { method, path, json: given };
  return takes === 'query' && typeof given === 'object' && given !== null
    ? { method, path, query: given }
    : { method, path };
}

/** How many ids the path of an operation has. */
export function idCount({ at }: Operation): number {
  return at.split(':').length - 1;
}

/** Dots alone are steps in a path, however they are encoded (URL Standard §4.4). */
function encodeSegment(name: string, value: unknown): string {
  if (typeof value === 'string' && !/^\.{0,2}$/.test(value)) return encodeURIComponent(value);
  throw new TypeError(`${name}: expected an id, not ${JSON.stringify(value)}`);
}
