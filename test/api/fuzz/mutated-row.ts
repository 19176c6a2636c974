import fc from 'fast-check';
import { methodOf, pathOf, type Row, type RowRequest } from '../contract/row.ts';
import { rows } from '../contract/rows/all.ts';
import type { Sent } from '../support/exchange.ts';
import { servedRoutes } from '../support/served-routes.ts';
import type { Tenant } from '../support/tenant.ts';
import { oddText, oddValue } from './odd-values.ts';

/** A valid request of the contract. */
export interface Prepared {
  readonly row: Row;
  readonly request: RowRequest;
}

const takeJson: ReadonlySet<string> = new Set(
  servedRoutes
    .filter(({ route }) => route.body !== null && !('kinds' in route.body))
    .flatMap(({ operations }) => operations),
);

/** Returns the contract's requests that contain JSON. */
export async function preparedRows(tenant: Tenant): Promise<Prepared[]> {
  const prepared: Prepared[] = [];
  for (const row of rows.filter(({ operation }) => takeJson.has(operation))) {
    prepared.push({ row, request: await row.request(tenant) });
  }
  return prepared;
}

/** Generates one of the requests with one unusual value. */
export function mutatedRow(prepared: readonly Prepared[]): fc.Arbitrary<Sent> {
  return fc.oneof(
    ...prepared.map(({ row, request }) => {
      const places = placesIn(request.json);
      return fc.tuple(fc.constantFrom(...places), mutation).map(([place, change]) => ({
        method: methodOf(row),
        path: pathOf(row, request),
        headers: { 'content-type': 'application/json', ...request.headers },
        body: JSON.stringify(changedAt(request.json, place, change)),
      }));
    }),
  );
}

type Place = readonly (string | number)[];
type Change = (value: unknown) => unknown;

const removed = Symbol('removed');

const mutation: fc.Arbitrary<Change> = fc.oneof(
  { weight: 8, arbitrary: oddValue.map((odd) => () => odd) },
  { weight: 4, arbitrary: oddText.map((odd) => () => odd) },
  { weight: 1, arbitrary: fc.constant(() => removed) },
  { weight: 1, arbitrary: fc.constant((value: unknown) => [value]) },
  {
    weight: 1,
    arbitrary: fc.constant((value: unknown) => (typeof value === 'string' ? value.toUpperCase() : String(value))),
  },
  { weight: 1, arbitrary: oddText.map((odd) => (value: unknown) => `${value}${odd}`) },
  {
    weight: 1,
    arbitrary: fc.tuple(oddText, oddValue).map(
      ([key, odd]): Change =>
        (value) =>
          typeof value === 'object' && value !== null ? { ...value, [key]: odd } : odd,
    ),
  },
);

/** Returns every position in a value, starting with the value itself. */
function placesIn(value: unknown, at: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([key, inner]) => placesIn(inner, [...at, key]))];
}

function changedAt(value: unknown, [key, ...rest]: Place, change: Change): unknown {
  if (key === undefined) {
    const changed = change(value);
    return changed === removed ? {} : changed;
  }
  const entries = Object.entries(Object(value)).flatMap(([name, inner]) => {
    if (name !== String(key)) return [[name, inner]];
    const changed = rest.length === 0 ? change(inner) : changedAt(inner, rest, change);
    return changed === removed ? [] : [[name, changed]];
  });
  return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}
