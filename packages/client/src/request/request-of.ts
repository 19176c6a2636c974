import type { Operation } from '../operation-table.ts';
import type { ApiRequest } from './transport.ts';

/** Builds the request of an operation from its arguments. @throws TypeError for an id that would change the path */
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

/** Returns the number of ids in the path of an operation. */
export function idCount({ at }: Operation): number {
  return at.split(':').length - 1;
}

/** Refuses dots-only ids, which are steps in a path even when encoded (URL Standard §4.4). */
function encodeSegment(name: string, value: unknown): string {
  if (typeof value === 'string' && !/^\.{0,2}$/.test(value)) return encodeURIComponent(value);
  throw new TypeError(`${name}: expected an id, not ${JSON.stringify(value)}`);
}
