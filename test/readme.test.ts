import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

describe('the README', () => {
  it('shows the express example as it is, in about twenty lines', () => {
    const example = read('examples/express/server.ts').trimEnd();
    expect(read('README.md')).toContain(`\`\`\`ts\n${example}\n\`\`\``);
    expect(example.split('\n').length).toBeLessThanOrEqual(25);
  });

  it('names commands that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = [...read('README.md').matchAll(/npm (?:run )?([a-z][\w:-]*)/g)].map((match) => match[1] ?? '');
    expect(named.length).toBeGreaterThan(4);
    for (const name of named) expect(['install', ...Object.keys(scripts)]).toContain(name);
  });
});
