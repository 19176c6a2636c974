// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { hrefOf, parseFragment } from '../../src/app/router/fragment.ts';

it.each([
  ['', [], {}],
  ['#', [], {}],
  ['#/', [], {}],
  ['#/calls', ['calls'], {}],
  ['#calls//x', ['calls', 'x'], {}],
  ['#/calls/a%2Fb?q=two+words&status=', ['calls', 'a/b'], { q: 'two words', status: '' }],
  ['#/calls?q=what?&from=2026-01-01', ['calls'], { q: 'what?', from: '2026-01-01' }],
  ['#/calls/%E0%A4%A?q=%zz', ['calls', '%E0%A4%A'], { q: '%zz' }],
])('parseFragment › parses %j', (fragment, path, query) => {
  expect(parseFragment(fragment)).toEqual({ path, query });
});

it('hrefOf › encodes segments and omits empty parameters', () => {
  expect(hrefOf(['calls', 'a/b?#'], { q: 'x & y', status: '', phone: null, from: undefined })).toBe(
    '#/calls/a%2Fb%3F%23?q=x+%26+y',
  );
});

it.each(['ä?&=#', '100%', '+31', 'a/b', 'two words'])('hrefOf › writes %j so that it is parsed again', (text) => {
  expect(parseFragment(hrefOf([text], { q: text }))).toEqual({ path: [text], query: { q: text } });
});
