import { expect, it } from 'vitest';
import { freePort } from '../src/free-port.ts';

it('freePort returns even ports at least four apart, because programs open the following ones later', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, () => freePort()));
  const sorted = ports.toSorted((a, b) => a - b);
  for (const [index, port] of sorted.entries()) {
    expect(port % 2).toBe(0);
    expect(port - (sorted[index - 1] ?? 0)).toBeGreaterThanOrEqual(4);
  }
});
