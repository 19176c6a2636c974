import { RequestError } from '@va/core';

/**
 * Refuses query parameters on a route that has none.
 * @throws RequestError 400
 */
export function refuseQuery(query: Readonly<Record<string, string>>): void {
  const faults = Object.keys(query).map((path) => ({ path, code: 'unknown_field', message: 'is not a known field' }));
  if (faults.length === 0) return;
  const message = faults.map(({ path, message }) => `${path}: ${message}`).join('; ');
  throw new RequestError(400, 'unknown_field', message, faults);
}

const noQuery: Readonly<Record<string, string>> = Object.freeze({});

/**
 * Parses the parameters of a query string.
 * @throws RequestError 400 for a repeated parameter
 */
export function readQuery(search: string): Readonly<Record<string, string>> {
  if (search === '') return noQuery;
  const params = new URLSearchParams(search);
  const names = [...params.keys()];
  const repeated = names.find((name, n) => names.indexOf(name) !== n);
  if (repeated !== undefined) {
    const fault = { path: repeated, code: 'invalid_field', message: 'is given more than once' };
    throw new RequestError(400, fault.code, `${repeated} ${fault.message}`, [fault]);
  }
  return Object.fromEntries(params);
}
