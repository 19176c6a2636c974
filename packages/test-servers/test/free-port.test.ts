import { expect, it } from 'vitest';
import { freePort } from '../src/free-port.ts';

it('gives even ports, each four or more from the others, as programs open the next ones only later', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, () => freePort()));
  const sorted = ports.toSorted((a, b) => a - b);
  for (const [index, port] of sorted.entries()) {
    expect(port % 2).toBe(0);
    expect(port - (sorted[index - 1] ?? 0)).toBeGreaterThanOrEqual(4);
  }
});
