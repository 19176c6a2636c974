import { silentLogger } from '@va/testkit';
import { expect, it } from 'vitest';
import { Scope } from '../../src/calls/scope.ts';

it('the signal of a call accepts many abort listeners without a leak warning of Node.js', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error): void => {
    warnings.push(warning);
  };
  process.on('warning', note);
  try {
    const { signal } = new Scope(silentLogger);
    for (let tool = 0; tool < 30; tool += 1) signal.addEventListener('abort', () => {});
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    process.off('warning', note);
  }
  expect(warnings).toEqual([]);
});
