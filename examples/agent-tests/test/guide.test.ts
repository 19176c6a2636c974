import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const example = join(import.meta.dirname, '..');
const guide = await readFile(join(example, '..', '..', 'docs', 'testing.md'), 'utf8');
const excerpts = [...guide.matchAll(/^```ts source=(\S+)\n([\s\S]*?)^```$/gm)];

it('is quoted in the guide to testing as it is', async () => {
  expect(excerpts.map(([, file]) => file)).toEqual([
    'reservations.ts',
    'test/reservations.test.ts',
    'test/scenario.test.ts',
  ]);
  for (const [, file = '', code = ''] of excerpts) expect(await readFile(join(example, file), 'utf8'), file).toBe(code);
});
