import { expect, it } from 'vitest';
import { numericLookup } from '../../src/runtime/numeric-lookup.ts';

it('numericLookup resolves an IP address synchronously, so that a packet leaves before its socket closes', () => {
  const answers: unknown[] = [];
  numericLookup('127.0.0.1', 4, (...answer) => answers.push(answer));
  numericLookup('::1', { family: 6 }, (...answer) => answers.push(answer));
  expect(answers).toEqual([
    [null, '127.0.0.1', 4],
    [null, '::1', 6],
  ]);
});

it('numericLookup resolves a name in the address family of the socket', async () => {
  const answer = await new Promise((resolve) => {
    numericLookup('localhost', 4, (error, address, family) => resolve([error, address, family]));
  });
  expect(answer).toEqual([null, '127.0.0.1', 4]);
});
