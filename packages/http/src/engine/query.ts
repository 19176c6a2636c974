import { RequestError } from '@va/core';

/** Throws `RequestError` 400 for parameters on a route that has none: whoever wrote them meant something by them. */
export function refuseQuery(query: Readonly<Record<string, string>>): void {
  const faults = Object.keys(query).map((path) => ({ path, code: 'unknown_field', message: 'is not a known field' }));
  if (faults.length === 0) return;
  const message = faults.map(({ path, message }) => `${path}: ${message}`).join('; ');
  throw new RequestError(400, 'unknown_field', message, faults);
}

const noQuery: Readonly<Record<string, string>> = Object.freeze({});

/** The parameters of a query string by name. Throws `RequestError` 400 where one is given twice: neither can be ignored. */
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
