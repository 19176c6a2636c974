import { describe, expect, it } from 'vitest';
import { belowApi, leadingSegments, toBasePath } from '../../../src/engine/request/base-path.ts';

describe('a base path', () => {
  it.each([
    ['', ''],
    ['/', ''],
    ['/voice', '/voice'],
    ['voice', '/voice'],
    ['/voice//', '/voice'],
    ['/voice/api/v1', '/voice'],
    ['/voice/api/v1/', '/voice'],
    ['/api/v1', ''],
    ['/café bar', '/caf%C3%A9%20bar'],
    ['/caf%C3%A9', '/caf%C3%A9'],
  ])('of %s is %s', (path, base) => {
    expect(toBasePath(path)).toBe(base);
  });

  it.each([
    ['/voice/api/v1/agents', '/voice', '/agents'],
    ['/api/v1/agents', '', '/agents'],
    ['/api/v1', '', ''],
    ['/api/v1/', '', '/'],
    ['/api/v10/agents', '', null],
    ['/api/v1/agents', '/voice', null],
    ['/voice2/api/v1/agents', '/voice', null],
    ['/voice/voice/api/v1/agents', '/voice', null],
  ])('the path of %s below the base path %s is %s', (path, base, below) => {
    expect(belowApi(path, base)).toBe(below);
  });

  it.each([
    ['/acme/voice/api/v1/agents', '/:tenant/voice', '/acme/voice'],
    ['/acme/voice/api/v1/agents', '/acme/voice/', '/acme/voice'],
    ['/api/v1/agents', '', ''],
    ['/api/v1/agents', '/', ''],
  ])('of %s, when mounted at %s, is %s', (path, pattern, base) => {
    expect(leadingSegments(path, pattern)).toBe(base);
  });
});
