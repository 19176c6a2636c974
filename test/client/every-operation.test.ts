import { createClient } from '@va/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../packages/client/src/operations.ts';
import { methodOf, pathOf, type Row, type RowRequest } from '../api/contract/row.ts';
import { rows } from '../api/contract/rows/all.ts';
import { type Api, openApi } from '../api/support/api.ts';
import { servedRoutes } from '../api/support/served-routes.ts';
import { memoryStorage } from '../api/support/storages.ts';

type Methods = Readonly<Record<string, Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>>>>;

/** `group.name` of the client by `METHOD /path/{id}`. */
const named = new Map(
  Object.entries(operations).flatMap(([group, methods]) =>
    Object.entries(methods).map(([name, { at }]): [string, [string, string]] => [
      at.replace(/:(\w+)/g, '{$1}'),
      [group, name],
    ]),
  ),
);

const isJson = ({ body, contentType }: Row): boolean => body !== null && contentType === 'application/json';
const jsonRows = rows.filter((row) => named.has(row.operation) && isJson(row));

/** Returns the client's result for a response: undefined for `success` alone, otherwise the value of its single key. */
function unwrapped(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null) return answer;
  const [first, ...more] = Object.entries(answer);
  if (first === undefined || more.length > 0) return answer;
  return first[0] === 'success' ? undefined : first[1];
}

describe('the methods of the client', () => {
  let api: Api;
  beforeAll(async () => {
    api = await openApi(memoryStorage);
  });
  afterAll(() => api.close());

  it('match the table of routes, and the contract tests have a request for each', () => {
    expect([...named.values()].map((parts) => parts.join('.')).sort()).toEqual(
      servedRoutes.map(({ name }) => name).sort(),
    );
    const raw = [
      'GET /events',
      'GET /calls/live',
      'GET /calls/{id}/events',
      'GET /calls/{id}/recording',
      'GET /campaigns/{id}/events',
      'GET /campaigns/{id}/leads/export',
      'POST /voices/sample',
    ];
    expect([...new Set(jsonRows.map(({ operation }) => operation)), ...raw].sort()).toEqual([...named.keys()].sort());
  });

  it.each(jsonRows)('send $operation, which $title', async (row) => {
    const tenant = await api.tenant();
    const request = await row.request(tenant);
    const sent: { method: string; path: string; answer: Promise<unknown> }[] = [];
    const client = createClient({
      baseUrl: api.origin,
      apiKey: request.key ?? tenant.key,
      async fetch(input, init) {
        if (!(input instanceof Request)) throw new Error('The client makes whole requests.');
        const { method, url } = input;
        const response = await fetch(input, init);
        sent.push({ method, path: url.slice(`${api.origin}/api/v1`.length), answer: response.clone().json() });
        return response;
      },
    });
    const [group = '', name = ''] = named.get(row.operation) ?? [];
    const methods: unknown = client;
    const result = await (methods as Methods)[group]?.[name]?.(...argumentsOf(row, request));

    expect(sent.map(({ method, path }) => [method, path])).toEqual([[methodOf(row), pathOf(row, request)]]);
    const answer = await sent[0]?.answer;
    expect(result).toEqual(unwrapped(answer));
  });
});

function argumentsOf({ operation }: Row, { params = [], json, body, query = '' }: RowRequest): unknown[] {
  const file = operation.endsWith('/leads/import') ? [csvOf(body)] : [];
  return [...params, ...file, ...(json === undefined ? [] : [json]), ...queryOf(query)];
}

function queryOf(query: string): object[] {
  return query === '' ? [] : [Object.fromEntries(new URLSearchParams(query))];
}

/** Returns the CSV within a multipart body, as the client sends the file as the whole body. */
function csvOf(body: RowRequest['body']): string {
  const text = String(body);
  return /phone_number[^-]*/.exec(text)?.[0] ?? text;
}
