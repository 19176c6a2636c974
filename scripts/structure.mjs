import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

// Checks the structure of the code, and prints its measures:
//
// - No import cycle between files, and none between the folders within one folder (each with all files below it).
// - A package imports packages of lower layers only; adapters do not import each other.
// - Tests of a package import files of that package and what its package.json declares; those of several packages are
//   in the test folder of the repository.
// - No line has more than 120 columns, and no file more than 400 lines.
// - No two types have the same name, except the records of the REST API in @va/client, which are those of @va/core.
// - No `any`: Biome checks that, and this counts the exceptions from it.
//
// scripts/structure-known.json lists known violations; `npm run structure -- --write-known` writes it. An entry
// that is no longer needed fails the check too.
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const known = JSON.parse(readFileSync(join(root, 'scripts/structure-known.json'), 'utf8'));
const maxColumns = 120;
const maxLines = 400;

const layers = [
  ['media', 'language'],
  ['core'],
  [
    ...['sip', 'carriers', 'web', 'providers', 'local-speech', 'storage', 'webhooks', 'mail', 'recordings'],
    ...['http', 'client'],
  ],
  ['testkit', 'cli', 'console', 'test-servers', 'mcp'],
];
/**
 * Allowed imports within a layer: the client imports the route table of the REST API. Packages of the top layer may
 * import each other.
 */
const mayImport = new Set(['client>http']);

function layerOf(name) {
  const layer = layers.findIndex((names) => names.includes(name));
  if (layer < 0) throw new Error(`scripts/structure.mjs does not know the layer of packages/${name}.`);
  return layer;
}

function readImports() {
  const args = ['scripts/tool.mjs', 'lint', 'depcruise', '--config', 'tools/lint/dependency-cruiser.cjs'];
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [...args, '--output-type', 'json', ...packages().map((name) => `packages/${name}/src`)],
    { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 },
  );
  if (status !== 0) throw new Error(`dependency-cruiser failed: ${stderr}`);
  const { modules } = JSON.parse(stdout.slice(stdout.indexOf('{')));
  const isOurs = (path) => path.startsWith('packages/');
  return new Map(
    modules
      .filter(({ source }) => isOurs(source))
      .map(({ source, dependencies }) => [
        source,
        [...new Set(dependencies.map(({ resolved }) => resolved).filter(isOurs))],
      ]),
  );
}

function tracked(...patterns) {
  const output = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...patterns], { cwd: root });
  return output.toString().split('\n').filter(Boolean);
}

function packages() {
  return [...new Set(tracked('packages/*/package.json').map((path) => path.split('/')[1]))];
}

/** Returns the strongly connected components with more than one node (Tarjan). */
function componentsOf(graph) {
  const [index, low, stack, onStack, found] = [new Map(), new Map(), [], new Set(), []];
  function visit(node) {
    index.set(node, index.size);
    low.set(node, index.get(node));
    stack.push(node);
    onStack.add(node);
    for (const next of graph.get(node) ?? []) {
      if (!graph.has(next)) continue;
      if (!index.has(next)) visit(next);
      if (onStack.has(next)) low.set(node, Math.min(low.get(node), low.get(next)));
    }
    if (low.get(node) !== index.get(node)) return;
    const component = stack.splice(stack.indexOf(node));
    for (const each of component) onStack.delete(each);
    if (component.length > 1) found.push(component.sort());
  }
  for (const node of graph.keys()) if (!index.has(node)) visit(node);
  return found;
}

/**
 * Returns, by folder, the graph of the imports between the folders in it. Files directly in the folder are left out.
 */
function folderGraphs(imports) {
  const graphs = new Map();
  for (const [from, targets] of imports) {
    for (const to of targets) {
      const [a, b] = [from.split('/'), to.split('/')];
      let shared = 0;
      while (a[shared] === b[shared] && shared < Math.min(a.length, b.length) - 1) shared += 1;
      if (shared >= a.length - 1 || shared >= b.length - 1) continue;
      const folder = a.slice(0, shared).join('/');
      const graph = graphs.get(folder) ?? new Map();
      graphs.set(folder, graph);
      for (const name of [a[shared], b[shared]]) if (!graph.has(name)) graph.set(name, new Set());
      graph.get(a[shared]).add(b[shared]);
    }
  }
  return graphs;
}

function layerFaults(imports) {
  const pairs = new Set();
  for (const [from, targets] of imports) {
    for (const to of targets) pairs.add(`${from.split('/')[1]}>${to.split('/')[1]}`);
  }
  return [...pairs].filter((pair) => {
    const [from, to] = pair.split('>');
    if (from === to || mayImport.has(pair)) return false;
    const [above, below] = [layerOf(from), layerOf(to)];
    return above < below || (above === below && above < layers.length - 1);
  });
}

/**
 * Returns the imports of tests that are neither files of their package nor declared in its package.json or, such as the
 * test runner, in that of the root.
 */
function testImportFaults(texts) {
  const readJson = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));
  const kinds = ['dependencies', 'devDependencies', 'peerDependencies'];
  const common = Object.keys(readJson('package.json').devDependencies);
  const declared = new Map(
    packages().map((name) => {
      const manifest = readJson(`packages/${name}/package.json`);
      return [name, new Set([manifest.name, ...common, ...kinds.flatMap((kind) => Object.keys(manifest[kind] ?? {}))])];
    }),
  );
  const mayUse = (file, specifier) => {
    const name = file.split('/')[1];
    if (specifier.startsWith('node:')) return true;
    if (specifier.startsWith('.')) return normalize(join(dirname(file), specifier)).startsWith(`packages/${name}/`);
    const parts = specifier.split('/');
    return declared.get(name).has(specifier.startsWith('@') ? parts.slice(0, 2).join('/') : parts[0]);
  };
  return [...texts]
    .filter(([file]) => /^packages\/[^/]+\/test\//.test(file))
    .flatMap(([file, lines]) =>
      lines
        .map((line) => /^(?:(?:import|export)\b.*|\}) from '([^']+)';$/.exec(line)?.[1])
        .filter((specifier) => specifier !== undefined && !mayUse(file, specifier))
        .map((specifier) => `${file}: ${specifier}`),
    );
}

/** Returns the types of the same name in several files, as `Name: file file`. */
function repeatedTypes(texts) {
  const declared = new Map();
  for (const [file, lines] of texts) {
    if (!/^packages\/(?!client\/)[^/]+\/src\//.test(file)) continue;
    for (const line of lines) {
      const name = /^(?:export )?(?:abstract )?(?:interface|type|class) (\w+)/.exec(line)?.[1];
      if (name !== undefined) declared.set(name, new Set([...(declared.get(name) ?? []), file]));
    }
  }
  return [...declared]
    .filter(([, files]) => files.size > 1)
    .map(([name, files]) => `${name}: ${[...files].sort().join(' ')}`);
}

const imports = readImports();
const fileCycles = componentsOf(imports).map((files) => files.join(' '));
const folderCycles = [...folderGraphs(imports)].flatMap(([folder, graph]) =>
  componentsOf(graph).map((names) => `${folder}: ${names.join(' ')}`),
);
const code = tracked('*.ts', '*.tsx', '*.mjs');
const texts = new Map(code.map((file) => [file, readFileSync(join(root, file), 'utf8').split('\n')]));
const longLines = {};
for (const [file, lines] of texts) {
  const count = lines.filter((line) => line.length > maxColumns).length;
  if (count > 0) longLines[file] = count;
}
const longFiles = [...texts].filter(([, lines]) => lines.length - 1 > maxLines).map(([file]) => file);
// Biome refuses `any`; these files have exceptions from that.
const anys = [...texts]
  .filter(
    ([file, lines]) =>
      file.endsWith('.ts') && lines.some((line) => line.includes('biome-ignore lint/suspicious/noExplicitAny')),
  )
  .map(([file]) => file);
const counted = (counts) => Object.entries(counts).map(([file, count]) => `${file} ${count}`);
if (process.argv.includes('--write-known')) {
  const found = { fileCycles, folderCycles, layers: layerFaults(imports), anys };
  writeFileSync(join(root, 'scripts/structure-known.json'), `${JSON.stringify(found, null, 2)}\n`);
  process.exit(0);
}

const faults = [];
function compare(what, found, expected) {
  for (const each of found) if (!expected.includes(each)) faults.push(`${what}: ${each}`);
  for (const each of expected) if (!found.includes(each)) faults.push(`${what}, known but mended: ${each}`);
}
compare('import cycle of files', fileCycles, known.fileCycles);
compare('import cycle of folders', folderCycles, known.folderCycles);
compare('import against the layers', layerFaults(imports), known.layers);
compare('test import from outside of the package', testImportFaults(texts), []);
compare(`lines over ${maxColumns} columns`, counted(longLines), []);
compare(`file over ${maxLines} lines`, longFiles, []);
compare('type declared twice', repeatedTypes(texts), []);
compare('exception from the rule against any', anys, known.anys);

for (const name of packages().sort()) {
  const sizes = [...texts]
    .filter(([file]) => file.startsWith(`packages/${name}/src/`))
    .map(([, lines]) => lines.length - 1);
  sizes.sort((a, b) => a - b);
  const at = (share) => sizes[Math.min(sizes.length - 1, Math.floor(sizes.length * share))] ?? 0;
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const tests = [...texts].filter(([file]) => file.startsWith(`packages/${name}/test/`));
  const testLines = tests.reduce((sum, [, lines]) => sum + lines.length - 1, 0);
  console.log(
    `${name.padEnd(13)} ${sizes.length} files, ${total} lines, median ${at(0.5)}, p90 ${at(0.9)}, most ${at(1)}; ` +
      `tests ${testLines} lines (${(testLines / total).toFixed(2)})`,
  );
}
console.log(
  `import cycles: ${fileCycles.length} of files, ${folderCycles.length} of folders; lines over ${maxColumns} ` +
    'columns: ' +
    `${Object.values(longLines).reduce((sum, count) => sum + count, 0)}; files over ${maxLines} lines: ` +
    `${longFiles.length}; any: ${anys.length}`,
);
for (const fault of faults) console.error(fault);
process.exit(faults.length === 0 ? 0 : 1);
