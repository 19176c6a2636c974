import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly private?: boolean;
  readonly exports: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly [field: string]: unknown;
}

const manifestOf = (folder: string): Manifest => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
const read = (...path: string[]): string => readFileSync(join(...path), 'utf8');

const published = readdirSync(join(root, 'packages')).filter((name) => !manifestOf(`packages/${name}`).private);

describe.each(published)('@va/%s', (name) => {
  it('has the npm metadata that all packages share', () => {
    expect(manifestOf(`packages/${name}`)).toMatchObject({
      name: `@va/${name}`,
      description: expect.any(String),
      license: 'MIT',
      author: 'The voice-agents authors',
      homepage: 'https://github.com/voice-agents/voice-agents#readme',
      repository: { type: 'git', directory: `packages/${name}` },
      bugs: 'https://github.com/voice-agents/voice-agents/issues',
      keywords: expect.arrayContaining(['voice-agent']),
      publishConfig: { access: 'public' },
    });
  });

  it('is packed with a LICENSE, working links and no source export conditions', () => {
    const folder = copyOf(name);
    createNamedFiles(folder);
    expect(run('prepare.mjs', folder).stderr).toBe('');
    expect(read(folder, 'package.json')).not.toContain('@va/source');
    expect(read(folder, 'LICENSE')).toContain('MIT License');
    expect(read(folder, 'README.md')).not.toMatch(/\]\((?!https:|#)/);
    // npm ships every file whose name begins with README.
    expect(readdirSync(folder).filter((file) => file.startsWith('README'))).toEqual(['README.md']);
  });
});

describe('a package', () => {
  it('that is not built cannot be packed', () => {
    const folder = copyOf('core');
    const refused = run('prepare.mjs', folder);
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain('@va/core is not built');
    expect(readdirSync(folder)).not.toContain('LICENSE');
  });

  it('is as before after it was packed, even if an earlier run was interrupted', () => {
    const folder = copyOf('core');
    createNamedFiles(folder);
    const original = read(folder, 'package.json');
    // Leaves the published manifest behind; the next run starts from the original.
    expect(run('prepare.mjs', folder).status).toBe(0);
    expect(run('prepare.mjs', folder).status).toBe(0);
    run('restore.mjs', folder);
    expect(read(folder, 'package.json')).toBe(original);
    expect(readdirSync(folder).sort()).toEqual(['README.md', 'dist', 'package.json']);
  });
});

describe('the examples', () => {
  const packages = readdirSync(join(root, 'examples')).filter((name) =>
    existsSync(join(root, 'examples', name, 'package.json')),
  );
  it.each(packages)('%s is private, with a name and a version', (name) => {
    // Otherwise npm pack --workspaces refuses the whole repository.
    const { private: isPrivate, version, name: packageName } = manifestOf(`examples/${name}`);
    expect([isPrivate, version, packageName]).toEqual([true, '0.0.0', `@va-examples/${name}`]);
  });
});

/** Copies a package's manifest and README to `packages/NAME` in a temporary folder that also has the scripts. */
function copyOf(name: string): string {
  const dir = mkdtempSync(join(tmpdir(), 'va-pack-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const folder = join(dir, 'packages', name);
  mkdirSync(folder, { recursive: true });
  for (const file of ['package.json', 'README.md']) cpSync(join(root, 'packages', name, file), join(folder, file));
  cpSync(join(root, 'LICENSE'), join(dir, 'LICENSE'));
  cpSync(join(root, 'scripts/pack'), join(dir, 'scripts/pack'), { recursive: true });
  return folder;
}

/** Creates the files that the manifest names, as a build does. */
function createNamedFiles(folder: string): void {
  const manifest: Manifest = JSON.parse(read(folder, 'package.json'));
  const bins = Object.values((manifest.bin ?? {}) as Record<string, string>);
  const targets = Object.values(manifest.exports).flatMap(({ '@va/source': _, ...shipped }) => Object.values(shipped));
  for (const target of [...targets, ...bins]) {
    mkdirSync(join(folder, target, '..'), { recursive: true });
    writeFileSync(join(folder, target), '');
  }
}

function run(script: string, cwd: string): { status: number | null; stderr: string } {
  return spawnSync(process.execPath, [`../../scripts/pack/${script}`], { cwd, encoding: 'utf8' });
}

describe('package-lock.json', () => {
  interface Locked {
    readonly link?: boolean;
    readonly resolved?: string;
    readonly integrity?: string;
    readonly optionalDependencies?: Readonly<Record<string, string>>;
  }
  const { packages }: { packages: Readonly<Record<string, Locked>> } = JSON.parse(read(root, 'package-lock.json'));
  const installed = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);

  it('includes the binaries of every platform', () => {
    const names = new Set(Object.keys(packages).map((path) => path.split('node_modules/').at(-1)));
    const optional = installed.flatMap(([, { optionalDependencies = {} }]) => Object.keys(optionalDependencies));
    expect(optional).toContain('@esbuild/darwin-arm64');
    expect(optional.filter((name) => !names.has(name))).toEqual([]);
  });

  it('lists a checksum for every package and no registry', () => {
    expect(installed.filter(([, { integrity }]) => integrity === undefined).map(([path]) => path)).toEqual([]);
    expect(installed.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([]);
  });
});
