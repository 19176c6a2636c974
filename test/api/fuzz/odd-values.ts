import fc from 'fast-check';

/** Texts that cause errors in parsers, databases and regular expressions. */
const oddTexts: readonly string[] = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'x\udc00y',
  '\ufeff',
  '😀'.repeat(60),
  'é\u0301',
  '‮abc',
  '\r\nX-Injected: 1',
  "'; drop table agents; --",
  '%00%ff',
  '{{name}}',
  '__proto__',
  'constructor',
  'toString',
  'null',
  '[object Object]',
  'NaN',
  '-0',
  '1e309',
  'a'.repeat(256),
  'a'.repeat(10_001),
  'a.'.repeat(20_000),
  `${'a'.repeat(30_000)}@`,
  '+'.repeat(90),
  '+31201234567;ext=1',
  '0000-01-01T00:00:00Z',
  '0000-01-01T00:00:00+23:59',
  '9999-12-31T23:59:59.999-23:59',
  '2026-02-30',
  '99999-01-01',
  'sip:@',
  'sip:a@[::1]:99999;transport=udp',
  'http://',
  'http://[',
  'javascript:alert(1)',
  '//127.0.0.1',
];

/** Raw JSON that object literals cannot express: names of Object.prototype as own keys. */
const oddObjects: readonly string[] = [
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"toString":1,"valueOf":1,"toJSON":1}',
  '{"$schema":{"toString":1},"type":"object"}',
  '{"type":"object","$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"$ref":"#/nowhere"}}}',
  '{"type":"object","$ref":"https://example.com/x"}',
  '{"type":"object","$id":"api","$async":true,"pattern":"(a+)+$"}',
  '{"hasOwnProperty":null,"length":-1,"then":{}}',
  '{"":{"":{"":""}}}',
  '{"a\\u0000b":1}',
  '{"\\ud800":1}',
];

export const oddNumbers: readonly number[] = [
  -1,
  0,
  0.1,
  1,
  9,
  10,
  43_200,
  43_201,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 53 - 1,
  2 ** 53,
  1e21,
  1e308,
  -1e308,
  5e-324,
];

function nested(depth: number, leaf: unknown): unknown {
  let value = leaf;
  for (let n = 0; n < depth; n += 1) value = n % 2 === 0 ? { a: value } : [value];
  return value;
}

/** Any character. The unit `binary` is the same, but first makes a table of all of them, which takes two seconds. */
const character = fc.integer({ min: 0, max: 0x10_f7ff }).map((n) => String.fromCodePoint(n < 0xd800 ? n : n + 0x800));

export const oddText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...oddTexts),
  fc.string({ unit: character, maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
);

/** JSON of any type in place of the expected one. */
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(null, true, false, [], {}, [[]], [null], {}) },
  { weight: 4, arbitrary: fc.constantFrom(...oddNumbers) },
  { weight: 6, arbitrary: oddText },
  { weight: 4, arbitrary: fc.constantFrom(...oddObjects).map((text) => JSON.parse(text)) },
  { weight: 2, arbitrary: fc.constantFrom(5, 63, 64, 65, 2_000).map((depth) => nested(depth, 'x')) },
  { weight: 1, arbitrary: fc.constantFrom(1_000, 200_000).map((length) => 'é'.repeat(length)) },
  { weight: 1, arbitrary: fc.constant(Array.from({ length: 1_001 }, () => ({}))) },
  { weight: 4, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);
