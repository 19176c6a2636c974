import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

describe('the README', () => {
  it('contains the unchanged Express example of about twenty lines', () => {
    const example = read('examples/express/server.ts').trimEnd();
    expect(read('README.md')).toContain(`\`\`\`ts\n${example}\n\`\`\``);
    expect(example.split('\n').length).toBeLessThanOrEqual(25);
  });

  it('names existing commands', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = [...read('README.md').matchAll(/npm (?:run )?([a-z][\w:-]*)/g)].map((match) => match[1] ?? '');
    expect(named.length).toBeGreaterThan(4);
    for (const name of named) expect(['install', 'pack', ...Object.keys(scripts)]).toContain(name);
  });

  it('contains the unchanged tool server of the example', () => {
    expect(read('README.md')).toContain(`\`\`\`ts\n${read('examples/express/tools.ts').trimEnd()}\n\`\`\``);
  });

  it('lists every package that the example imports in its install command', () => {
    const readme = read('README.md');
    const install = /^npm install (@va[\s\S]*?)\n```/m.exec(readme)?.[1] ?? '';
    const { dependencies } = JSON.parse(read('examples/express/package.json')) as { dependencies: object };
    expect(install.split(/[\s\\]+/).sort()).toEqual(Object.keys(dependencies).sort());
    expect(readme).toContain('not yet published');
  });

  it('links to existing files', () => {
    const links = [...read('README.md').matchAll(/\]\((?!https?:)([^)#]+)/g)].map((match) => match[1] ?? '');
    expect(links.length).toBeGreaterThan(10);
    for (const link of links) expect(existsSync(new URL(`../${link}`, import.meta.url)), link).toBe(true);
  });
});
