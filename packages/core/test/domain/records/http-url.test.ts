import { expect, it } from 'vitest';
import { httpUrlSchema } from '../../../src/domain/records/http-url.ts';

it.each([
  'http://localhost:4000/hook',
  'https://customer.example.com',
  'https://ada:secret@customer.example.com:8443/a/b;c=1?x=1&y=%20#end',
  'https://[2001:db8::1]/hook',
  'https://xn--bcher-kva.example/hook',
])('httpUrlSchema accepts %s', (url) => {
  expect(httpUrlSchema.parse(url)).toBe(url);
});

it.each([
  'ftp://customer.example.com',
  'customer.example.com/hook',
  'https://customer.example.com/hook\u{1f953}',
  'https://bücher.example/hook',
  'https://customer.example.com/a b',
  'https://customer.example.com/a%2',
  'https://customer.example.com/#a#b',
  'https://customer.example.com/"',
  'https://customer.example.com\\hook',
  'https://',
  '',
])('httpUrlSchema refuses %j', (url) => {
  expect(httpUrlSchema.safeParse(url).success).toBe(false);
});

it('httpUrlSchema rejects a hostile text of 100 kB in linear time', () => {
  expect(httpUrlSchema.safeParse(`https://a.example/${'%20?#'.repeat(20_000)}ü`).success).toBe(false);
});
