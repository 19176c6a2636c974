import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseInput } from '../../src/input/parse-input.ts';
import { refusal } from '../operations/support.ts';

// Security: 0.9 MB of unknown fields produced a response of 9.4 MB.
describe('the error for hostile input', () => {
  const refused = (input: unknown) => refusal((async () => parseInput(z.strictObject({}), input))());

  it('lists at most 50 faults', async () => {
    const error = await refused(Object.fromEntries(Array.from({ length: 60_000 }, (_, n) => [`field${n}`, 1])));
    expect(error.faults).toHaveLength(50);
    expect(error.message).toContain('and 59950 more');
    expect(JSON.stringify([error.message, error.faults]).length).toBeLessThan(10_000);
  });

  it('truncates the name of a field', async () => {
    const error = await refused({ ['x'.repeat(900_000)]: 1 });
    expect(error.faults[0]?.path).toHaveLength(201);
    expect(error.message.length).toBeLessThan(500);
  });
});
