import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
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
});

const foldersOf = (parent: string): string[] => readdirSync(new URL(`../${parent}`, import.meta.url));
const pages = [
  'README.md',
  ...foldersOf('docs').map((name) => `docs/${name}`),
  ...['packages', 'examples'].flatMap((parent) => foldersOf(parent).map((name) => `${parent}/${name}/README.md`)),
].filter((path) => path.endsWith('.md') && existsSync(new URL(`../${path}`, import.meta.url)));

/** Returns the targets of a page's links within the repository; those of code samples are left out. */
function linksOf(page: string): string[] {
  const prose = read(page).replace(/```[\s\S]*?```|`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].map((match) => match[1] ?? '');
}

/** Returns the anchors that GitHub gives the headings of a page. */
function anchorsOf(page: string): string[] {
  return [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replace(/ /g, '-'),
  );
}

describe('the documentation', () => {
  it.each(pages)('%s links to existing files and headings', (page) => {
    const broken = linksOf(page).filter((link) => {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? page : posix.join(posix.dirname(page), path);
      if (!existsSync(new URL(`../${target}`, import.meta.url))) return true;
      return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).includes(anchor);
    });
    expect(broken).toEqual([]);
  });

  it('has a link in the README for each page', () => {
    const linked = linksOf('README.md').map((link) => link.split('#')[0]);
    expect(pages.filter((page) => page.startsWith('docs/') && !linked.includes(page))).toEqual([]);
  });

  it('has a reason for each dependency of a package', () => {
    const listed = read('docs/dependencies.md')
      .split('\n')
      .flatMap((line) => (line.startsWith('| ') ? [line.split('|')[1] ?? ''] : []))
      .flatMap((cell) => cell.split(',').map((name) => name.replace(/\(.*|optional peer.*/, '').trim()));
    const dependencies = foldersOf('packages').flatMap((name) => {
      const manifest: Record<string, Record<string, string> | undefined> = JSON.parse(
        read(`packages/${name}/package.json`),
      );
      const { dependencies = {}, peerDependencies = {} } = manifest;
      return Object.keys({ ...dependencies, ...peerDependencies });
    });
    expect(dependencies.length).toBeGreaterThan(20);
    const named = (name: string): boolean => listed.includes(name) || listed.includes(`${name.split('/')[0]}/*`);
    expect(dependencies.filter((name) => !name.startsWith('@va/') && !named(name))).toEqual([]);
  });

  it('counts the collections of the storage port', async () => {
    const { collectionSchemas } = await import('@va/core/adapter');
    expect(read('docs/storage-adapters.md')).toContain(`kind of record (${collectionSchemas.length})`);
  });
});
