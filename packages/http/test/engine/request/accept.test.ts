import { describe, expect, it } from 'vitest';
import { prefersProblemJson } from '../../../src/engine/request/accept.ts';

describe('an Accept header', () => {
  it.each([
    ['application/problem+json', true],
    ['Application/Problem+JSON', true],
    ['application/problem+json, application/json', true],
    ['application/json, application/problem+json', true],
    ['application/problem+json;q=0.9, application/json;q=0.8', true],
    ['application/problem+json, */*;q=0.5', true],
    ['text/html, application/problem+json;q=0.2', true],
    ['application/problem+json;q=0.5, application/json', false],
    ['application/problem+json;q=0.5, */*', false],
    ['application/problem+json;q=0.5, application/*;q=0.6', false],
    ['application/problem+json;q=0', false],
    ['text/plain;x="application/problem+json"', false],
    ['application/json', false],
    ['application/*', false],
    ['*/*', false],
    ['', false],
    [null, false],
  ])('with the value %s prefers problem details: %s', (accept, prefers) => {
    expect(prefersProblemJson(accept)).toBe(prefers);
  });
});
