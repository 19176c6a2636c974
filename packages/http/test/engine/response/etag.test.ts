import { describe, expect, it } from 'vitest';
import { etagOf, matchesEtag } from '../../../src/engine/response/etag.ts';

describe('an ETag', () => {
  const etag = etagOf('{"a":1}');

  it('is strong, and differs for another body', () => {
    expect(etag).toMatch(/^"[\w-]{27}"$/);
    expect(etagOf('{"a":1}')).toBe(etag);
    expect(etagOf('{"a":2}')).not.toBe(etag);
  });

  it.each([
    [etag, true],
    [`W/${etag}`, true],
    [`"x", W/"y,z" , ${etag}`, true],
    [' * ', true],
    ['"x"', false],
    [etag.slice(1, -1), false],
    ['', false],
    [`"x${etag.slice(1)}`, false],
  ])('matches the If-None-Match header %s: %s', (header, matches) => {
    expect(matchesEtag(header, etag)).toBe(matches);
  });
});
