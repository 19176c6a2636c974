import fc from 'fast-check';
import type { RawExchange } from './raw-exchange.ts';

const crlf = '\r\n';

function request(line: string, headers: readonly string[], body = ''): string {
  return [line, 'Host: localhost', ...headers, '', body].join(crlf);
}

/** Generates valid HTTP, invalid HTTP, or arbitrary bytes, some of them with a valid key. */
export function anyBytes(key: string): fc.Arbitrary<RawExchange> {
  const auth = `Authorization: Bearer ${key}`;
  const json = 'Content-Type: application/json';
  const body = '{"name":"Anna"}';
  const post = 'POST /api/v1/agents HTTP/1.1';
  const get = request('GET /api/v1/agents HTTP/1.1', [auth]);
  const sized = (length: string): string => request(post, [auth, json, `Content-Length: ${length}`], body);
  const chunked = (chunks: string): string => request(post, [auth, json, 'Transfer-Encoding: chunked'], chunks);
  const good = [
    get,
    sized(String(body.length)),
    chunked(`f${crlf}${body}${crlf}0${crlf}${crlf}`),
    request('HEAD /api/v1/health HTTP/1.1', []),
  ];

  const odd = fc.constantFrom(
    '',
    crlf,
    '\0'.repeat(64),
    'GET',
    'GET /api/v1/agents',
    `GET /api/v1/agents${crlf}${crlf}`,
    request('GET  /api/v1/agents HTTP/1.1', []),
    request('GET /api/v1/agents HTTP/9.9', []),
    request('GET /api/v1/agents HTTP/1.0', [auth]),
    request('get /api/v1/agents HTTP/1.1', []),
    request('GET http://[/api/v1/agents HTTP/1.1', [auth]),
    request('GET http://other.example/api/v1/agents?limit=1 HTTP/1.1', [auth]),
    request('GET //api/v1/agents HTTP/1.1', [auth]),
    request('GET * HTTP/1.1', []),
    request('OPTIONS * HTTP/1.1', []),
    request('CONNECT localhost:443 HTTP/1.1', []),
    request('GET /api/v1/agents HTTP/1.1', ['Upgrade: websocket', 'Connection: Upgrade', auth]),
    request('GET /api/v1/agents HTTP/1.1', [
      'Upgrade: h2c',
      'Connection: Upgrade, HTTP2-Settings',
      'HTTP2-Settings: AAA',
    ]),
    request(`GET /api/v1/${'a'.repeat(20_000)} HTTP/1.1`, [auth]),
    request('GET /api/v1/agents HTTP/1.1', [`X-Big: ${'a'.repeat(20_000)}`]),
    request(
      'GET /api/v1/agents HTTP/1.1',
      Array.from({ length: 2_500 }, (_, n) => `X-${n}: a`),
    ),
    request('GET /api/v1/agents HTTP/1.1', ['X Bad: a', ': none', 'Folded: a', ' b']),
    request('GET /api/v1/agents HTTP/1.1', ['Authorization: Bearer a', 'Authorization: Bearer b']),
    request(post, [auth, json, 'Expect: 100-continue', `Content-Length: ${body.length}`], body),
    request(post, [auth, json, 'Content-Length: 15', 'Content-Length: 16'], body),
    request(post, [auth, json, 'Content-Length: 15', 'Transfer-Encoding: chunked'], `0${crlf}${crlf}`),
    request(post, [auth, json, 'Transfer-Encoding: gzip, chunked'], `0${crlf}${crlf}`),
    sized('-1'),
    sized('1e3'),
    sized('5'),
    sized('5000'),
    sized('99999999999999999999'),
    sized('2000000'),
    chunked(`zz${crlf}`),
    chunked(`f;ext="${'a'.repeat(20_000)}"${crlf}${body}${crlf}0${crlf}${crlf}`),
    chunked(`ffffffffffffffff1${crlf}`),
    chunked(`f${crlf}${body}`),
    chunked(`f${crlf}${body}${crlf}0${crlf}X-Trailer: a${crlf}${crlf}`),
    chunked(`2${crlf}${body}${crlf}0${crlf}${crlf}`),
    chunked(`100000${crlf}${'a'.repeat(0x10_0000)}${crlf}1${crlf}a${crlf}0${crlf}${crlf}`),
    `${get}GARBAGE`,
  );
  const noise = fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes).toString('latin1'));
  const mutated = fc
    .tuple(fc.constantFrom(...good), fc.nat(), fc.string({ unit: 'binary-ascii', maxLength: 3 }))
    .map(
      ([text, at, inserted]) => `${text.slice(0, at % text.length)}${inserted}${text.slice((at % text.length) + 1)}`,
    );
  const cut = fc.tuple(fc.constantFrom(...good), fc.nat()).map(([text, at]) => text.slice(0, at % text.length));

  const unforeseen = fc.oneof(odd, noise, mutated, cut);
  const oddly = fc.record({
    pieces: unforeseen.chain(split),
    leave: fc.constantFrom('end' as const, 'reset' as const, 'destroy' as const),
    answers: fc.constant(null),
  });
  const pipelined = fc.array(fc.constantFrom(...good), { minLength: 1, maxLength: 12 }).chain((requests) =>
    fc.record({
      pieces: split(requests.join('')),
      leave: fc.constant('end' as const),
      answers: fc.constant(requests.length),
    }),
  );
  return fc.oneof({ weight: 4, arbitrary: oddly }, { weight: 1, arbitrary: pipelined });
}

/** Splits the bytes into up to five writes. */
function split(text: string): fc.Arbitrary<string[]> {
  return fc.array(fc.nat(), { maxLength: 4 }).map((cuts) => {
    const places = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length];
    return places.slice(1).map((end, n) => text.slice(places[n], end));
  });
}
