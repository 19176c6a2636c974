import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chatModels } from './guide/ai-sdk.ts';
import { selfHosted } from './guide/self-hosted.ts';
import { providers as cloud } from './guide/setup.ts';

const guide = await readFile(join(import.meta.dirname, '..', '..', '..', 'docs', 'providers.md'), 'utf8');
const providers = [...cloud, ...chatModels, ...selfHosted];
const excerpts = [...guide.matchAll(/^```ts source=(\S+)\n([\s\S]*?)^```$/gm)];

describe('provider guide', () => {
  it('quotes only code that is compiled and run here', async () => {
    expect(excerpts.map(([, file]) => file)).toEqual([
      'setup.ts',
      'ai-sdk.ts',
      'self-hosted.ts',
      'lines-model.ts',
      'lines-model.test.ts',
    ]);
    for (const [, file = '', code = ''] of excerpts) {
      expect(await readFile(join(import.meta.dirname, 'guide', file), 'utf8'), file).toBe(code);
    }
    expect(guide.match(/^```ts/gm)).toHaveLength(excerpts.length);
  });

  it('registers providers with different names', () => {
    const names = providers.map(({ kind, id }) => `${kind} ${id}`);
    expect(new Set(names).size).toBe(names.length);
  });

  it('names every setting of every provider', () => {
    const settings = new Set(providers.flatMap(({ optionsSchema }) => Object.keys(optionsSchema?.shape ?? {})));
    expect([...settings].filter((name) => !guide.includes(`\`${name}\``))).toEqual([]);
  });
});
