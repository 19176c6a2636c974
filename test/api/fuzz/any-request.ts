import fc from 'fast-check';
import { z } from 'zod';
import type { Sent } from '../support/exchange.ts';
import { type ServedRoute, servedRoutes } from '../support/served-routes.ts';
import { fromSchema, type Material, type Schema } from './from-schema.ts';
import { oddText } from './odd-values.ts';

interface Parts {
  readonly params: readonly string[];
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Pick<Sent, 'body' | 'headers'>;
}

const headerText = fc.string({ unit: fc.constantFrom(...'abcXYZ019-_.,;:/*="\\()<>@?{}[] \t'), maxLength: 40 });

const oddHeaders: fc.Arbitrary<Record<string, string>> = fc.record(
  {
    accept: fc.oneof(
      headerText,
      fc.constantFrom('application/problem+json', '*/*', 'text/html', 'application/problem+json;q=abc,;,=;"', '"'),
    ),
    'idempotency-key': fc.oneof(fc.constantFrom('a', 'b', '', ' ', 'k'.repeat(255), 'k'.repeat(256)), headerText),
    'x-request-id': headerText,
    'if-none-match': fc.oneof(fc.constantFrom('*', '""', 'W/"', '"a", W/"b"'), headerText),
    range: fc.oneof(
      fc.constantFrom('bytes=0-', 'bytes=-1', 'bytes=5-2', 'bytes=0-1,3-4', 'bytes=999999999999999999-'),
      headerText,
    ),
    'last-event-id': fc.oneof(fc.constantFrom('0', '1', '-1', '999999999', '1e9'), headerText),
    authorization: fc.oneof(
      fc.constantFrom('Bearer', 'Bearer  ', 'bearer x', 'Basic eDp5', `Bearer ${'x'.repeat(600)}`),
      headerText,
    ),
    'content-type': fc.oneof(
      fc.constantFrom(
        'application/json; charset=utf-16',
        'APPLICATION/JSON',
        'multipart/form-data',
        'text/csv',
        'multipart/form-data; boundary=',
      ),
      headerText,
    ),
    'content-encoding': fc.constantFrom('gzip', 'identity', 'br, gzip'),
    origin: headerText,
    'if-range': headerText,
    expect: fc.constant('100-continue'),
  },
  { requiredKeys: [] },
);

/** Few requests have unusual headers, and each of those has only a few. */
const someHeaders = fc.oneof(
  { weight: 5, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: oddHeaders.chain((all) =>
      fc.subarray(Object.entries(all), { maxLength: 2 }).map((entries) => Object.fromEntries(entries)),
    ),
  },
);

const csv: fc.Arbitrary<Pick<Sent, 'body' | 'headers'>> = fc
  .array(
    fc.array(fc.oneof(fc.constantFrom('+31201234567', 'phone_number', 'name', '""', '"a\nb"', '"'), oddText), {
      maxLength: 4,
    }),
    { maxLength: 6 },
  )
  .map((rows) => `phone_number,name\r\n${rows.map((cells) => cells.join(',')).join('\r\n')}`)
  .chain((text) =>
    fc.constantFrom(
      { headers: { 'content-type': 'text/csv' }, body: text },
      {
        headers: { 'content-type': 'multipart/form-data; boundary=b' },
        body: `--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n${text}\r\n--b--`,
      },
      { headers: { 'content-type': 'multipart/form-data; boundary=b' }, body: `--b\r\n${text}` },
    ),
  );

/** Generates a request of one of the routes, more or less valid. */
export function anyRequest(material: Material): fc.Arbitrary<Sent> {
  return fc.oneof(
    { weight: 60, arbitrary: fc.oneof(...servedRoutes.map((served) => requestOf(served, material))) },
    { weight: 1, arbitrary: elsewhere },
  );
}

const elsewhere: fc.Arbitrary<Sent> = fc
  .tuple(fc.constantFrom('GET', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'PROPFIND', 'TRACE'), oddText)
  .map(([method, text]) => ({ method, path: `/${encodeURI(wellFormed(text).slice(0, 2_000))}` }));

function requestOf(served: ServedRoute, material: Material): fc.Arbitrary<Sent> {
  const { route, operations } = served;
  const [operation] = operations;
  const template = operation.slice(operation.indexOf(' ') + 1);
  const names = [...template.matchAll(/\{(\w+)\}/g)];
  const param = fc.oneof(
    { weight: 10, arbitrary: fc.constantFrom(...material.ids) },
    { weight: 1, arbitrary: fc.constantFrom('%', '%zz', '..', '%2e%2e%2f', 'openai', 'a b', `${'9'.repeat(3_000)}`) },
    { weight: 1, arbitrary: oddText.map((text) => text.slice(0, 500)) },
  );
  const good = { arbitrary: fc.constant(route.method as string), weight: 30 };
  const method = fc.oneof(good, { weight: 1, arbitrary: fc.constantFrom('HEAD', 'OPTIONS', 'PUT', 'DELETE', 'GET') });
  const parts: fc.Arbitrary<Parts> = fc.record({
    params: fc.tuple(...names.map(() => param)),
    query: queryOf(served, material),
    headers: someHeaders,
    body: bodyOf(served, material),
  });
  return fc.tuple(method, parts).map(([sentMethod, { params, query, headers, body }]) => {
    let next = 0;
    const path = template.replace(/\{\w+\}/g, () => pathSegment(params[next++] ?? ''));
    return {
      ...body,
      method: sentMethod,
      path: query === '' ? path : `${path}?${query}`,
      headers: { ...body.headers, ...headers },
    };
  });
}

/** Replaces lone surrogates, which cannot be percent-encoded. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

function pathSegment(text: string): string {
  return /^[\w%.-]+$/.test(text) ? text : encodeURIComponent(wellFormed(text));
}

const schemas = new Map<z.ZodType, Schema>();

function schemaOf(type: z.ZodType): Schema {
  const known = schemas.get(type);
  if (known !== undefined) return known;
  const schema = z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' }) as Schema;
  schemas.set(type, schema);
  return schema;
}

function queryOf({ route }: ServedRoute, material: Material): fc.Arbitrary<string> {
  const schema = route.query === null ? {} : schemaOf(route.query);
  const pairs = Object.entries(schema.properties ?? {}).map(([name, each]) =>
    fc.tuple(fc.constant(name), fromSchema(each, material)),
  );
  const odd = fc.tuple(oddText, oddText);
  const some = pairs.length === 0 ? fc.constant([]) : fc.array(fc.oneof(...pairs), { maxLength: 3 });
  const query = fc.oneof({ weight: 12, arbitrary: some }, { weight: 1, arbitrary: fc.array(odd, { maxLength: 2 }) });
  const written = query.map((entries) =>
    new URLSearchParams(
      entries.map(([name, value]): [string, string] => [name.slice(0, 100), asText(value).slice(0, 500)]),
    ).toString(),
  );
  return fc.oneof(
    { weight: 12, arbitrary: written },
    { weight: 1, arbitrary: fc.constantFrom('&', '=', '?', '%', 'limit=%ff', 'limit=1&limit=1', '__proto__=1') },
  );
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function bodyOf({ route }: ServedRoute, material: Material): fc.Arbitrary<Pick<Sent, 'body' | 'headers'>> {
  if (route.body === null) {
    return fc.oneof(
      { weight: 8, arbitrary: fc.constant({}) },
      { weight: 1, arbitrary: fc.constant({ body: '{"a":1}' }) },
    );
  }
  if ('kinds' in route.body) return csv;
  const schema = schemaOf(route.body);
  const headers = { 'content-type': 'application/json' };
  const json = fromSchema(schema, material).map((value) => ({ headers, body: JSON.stringify(value) }));
  const broken = fc.constantFrom(
    '',
    '{',
    '[1,]',
    '\ufeff{}',
    '{"a":1e999}',
    '"\\u12"',
    `${'['.repeat(100_000)}`,
    '{"name":"a","name":"b"}',
    'a'.repeat(1_048_577),
  );
  return fc.oneof(
    { weight: 40, arbitrary: json },
    { weight: 1, arbitrary: broken.map((body) => ({ headers, body })) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }).map((body) => ({ headers, body })) },
  );
}
