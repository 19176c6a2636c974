import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const example = join(import.meta.dirname, '..');
const guide = await readFile(join(example, '..', '..', 'docs', 'storage-adapters.md'), 'utf8');
const excerpts = [...guide.matchAll(/^```ts source=(\S+)\n([\s\S]*?)^```$/gm)];

it('quotes this example in the guide to storage adapters as it is', async () => {
  expect(excerpts.length).toBeGreaterThan(8);
  for (const [, file = '', code = ''] of excerpts) {
    expect(await readFile(join(example, file), 'utf8'), file).toContain(code);
  }
});
