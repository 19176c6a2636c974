import { describe, expect, it } from 'vitest';
import { httpHeadersSchema } from '../../../src/domain/records/http-headers.ts';

const messages = (headers: Record<string, string>): string[] =>
  (httpHeadersSchema.safeParse(headers).error?.issues ?? []).map(({ message }) => message);

const many = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`X-${n}`, '']));

describe('the headers for a server of a customer', () => {
  it.each([
    [{}],
    [{ Authorization: 'Bearer abc' }],
    [{ "!#$%&'*+.^_`|~-09": '~ !' }],
    [{ ['x'.repeat(100)]: 'y'.repeat(4_000) }],
    [many(20)],
  ])('may be %j', (headers) => {
    expect(httpHeadersSchema.parse(headers)).toEqual(headers);
  });

  it.each([['Host'], ['content-length'], ['Transfer-Encoding'], ['MCP-Session-Id'], ['Proxy-Anything'], ['TE']])(
    'must not replace %s, which the service sets',
    (name) => {
      expect(messages({ [name]: 'value' })).toEqual(['is set by the service']);
    },
  );

  it('must not name a header twice in different case', () => {
    expect(messages({ 'X-Key': '1', 'x-key': '2' })).toEqual(['is given twice']);
  });

  it('are at most 20', () => {
    expect(messages(many(21))).toEqual(['at most 20 headers']);
  });

  it.each([[''], ['a b'], ['a:b'], ['ä'], ['x'.repeat(101)], ['a\r\nb']])('must not have the name %j', (name) => {
    expect(httpHeadersSchema.safeParse({ [name]: 'value' }).success).toBe(false);
  });

  it.each([['a\r\nX-Injected: 1'], ['a\0'], ['\t'], ['ä'], ['y'.repeat(4_001)]])(
    'must not have the value %j',
    (value) => {
      expect(httpHeadersSchema.safeParse({ 'X-Key': value }).success).toBe(false);
    },
  );
});
