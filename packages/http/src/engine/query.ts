import { RequestError } from '@va/core';

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
