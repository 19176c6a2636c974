import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { publishedPackages } from './published-packages.mjs';

// Checks the published tarballs: each contains the files it names and nothing else, and the client works where it
// is installed alone. Packages are installed from this machine only. They are packed in a copy, because packing changes
// their manifests for a moment, and tests may be reading those.
const program = `
import { type Agent, type Call, createClient, type NewAgent } from '@va/client';

const agent: Pick<Agent, 'name'> = { name: 'Reception' };
const client = createClient({
  baseUrl: 'http://localhost/voice',
  apiKey: 'key',
  retry: { limit: 0 },
  fetch: async () => Response.json({ agent }, { status: 200 }),
});
const body: NewAgent = { name: 'Reception', speech_config: { endpointing: { min_delay_ms: 300 } } };
// @ts-expect-error the field is called name
const wrong: NewAgent = { nam: 'typo' };
// @ts-expect-error the field is called min_delay_ms
const nested: NewAgent = { name: 'A', speech_config: { endpointing: { min_delay: 3 } } };
// @ts-expect-error a status is one of a few
const status: Call['status'] = 'over';
const created: Agent = await client.agents.create(body);
// @ts-expect-error an agent has no such field
created.unknown_field;
console.log(created.name, 200, ...[wrong, nested, status].slice(3));
`;

const work = mkdtempSync(join(tmpdir(), 'va-packed-'));
const copy = join(work, 'copy');
try {
  for (const path of ['packages', 'scripts/pack', 'LICENSE']) {
    cpSync(path, join(copy, path), { recursive: true, filter: (source) => basename(source) !== 'node_modules' });
  }
  writeFileSync(join(copy, 'package.json'), JSON.stringify({ private: true, workspaces: ['packages/*'] }));
  const names = publishedPackages();
  // One process for all: each takes half a second of processor time to start.
  const workspaces = names.flatMap((name) => ['--workspace', `packages/${name}`]);
  const packed = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', work, ...workspaces], copy));
  const tarballs = new Map(packed.map((each) => [each.name, each]));
  for (const name of names) checkPacked(name, tarballs.get(`@va/${name}`));
  checkClientAlone(join(work, 'client', 'package'));
  console.log(`${names.length} tarballs are complete, and the client compiles and runs alone.`);
} finally {
  rmSync(work, { recursive: true });
}

function checkPacked(name, { filename, files }) {
  const folder = join(work, name);
  mkdirSync(folder);
  run('tar', ['-xzf', join(work, filename)], folder);
  const paths = new Set(files.map(({ path }) => path));
  const manifest = JSON.parse(readFileSync(join(folder, 'package', 'package.json'), 'utf8'));
  const named = Object.values(manifest.exports).flatMap((conditions) => Object.values(conditions));
  const missing = ['LICENSE', 'README.md', ...named, ...Object.values(manifest.bin ?? {})]
    .map((path) => path.replace(/^\.\//, ''))
    .filter((path) => !paths.has(path));
  const unwanted = [...paths].filter((path) =>
    /^(?:src|test|scripts)\/|\.test\.|(?<!\.d)\.ts$|^\.|tsconfig|tsup/.test(path),
  );
  if (missing.length > 0) throw new Error(`The tarball of @va/${name} lacks ${missing.join(', ')}`);
  if (unwanted.length > 0) throw new Error(`The tarball of @va/${name} has ${unwanted.join(', ')}`);
}

/** Compiles and runs a program against the client, with nothing installed but what its manifest asks for. */
function checkClientAlone(packed) {
  const app = join(work, 'app');
  const { dependencies } = JSON.parse(readFileSync(join(packed, 'package.json'), 'utf8'));
  const internal = Object.keys(dependencies).filter((name) => name.startsWith('@va/'));
  if (internal.length > 0) throw new Error(`The client depends on ${internal.join(', ')}`);
  cpSync(packed, join(app, 'node_modules/@va/client'), { recursive: true });
  for (const name of Object.keys(dependencies)) {
    cpSync(join('node_modules', name), join(app, 'node_modules', name), { recursive: true });
  }
  writeFileSync(join(app, 'package.json'), '{"type":"module"}');
  writeFileSync(join(app, 'app.ts'), program);
  const settings = ['--strict', '--exactOptionalPropertyTypes', '--target', 'es2022', '--lib', 'es2023,dom'];
  run(resolve('node_modules/.bin/tsc'), [...settings, '--module', 'nodenext', '--types', '', 'app.ts'], app);
  const printed = run(process.execPath, ['app.js'], app).trim();
  if (printed !== 'Reception 200') throw new Error(`The client that is installed alone printed: ${printed}`);
}

function run(program, args, cwd) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} in ${cwd}: ${stdout}${stderr}`);
  return stdout;
}
