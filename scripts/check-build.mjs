import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { publishedPackages } from './published-packages.mjs';

// Checks the build, which users get: each entry of each package must load from dist/, and code that reads files
// beside it (weights, WebAssembly, workers) must find them from there.
const specifiers = [];
for (const name of publishedPackages()) {
  const { exports } = JSON.parse(readFileSync(`packages/${name}/package.json`, 'utf8'));
  for (const [entry, conditions] of Object.entries(exports)) {
    const specifier = `@va/${name}${entry.slice(1)}`;
    specifiers.push(specifier);
    // An entry of types alone has nothing to load.
    if (conditions.default === undefined) continue;
    const resolved = import.meta.resolve(specifier);
    if (!resolved.includes('/dist/')) throw new Error(`${specifier} resolves to ${resolved}, not to the build`);
    const names = Object.keys(await import(specifier));
    if (names.length === 0) throw new Error(`${specifier} exports nothing`);
  }
}

// Checks the declarations of all entries as a host without skipLibCheck does. Errors in other packages are ignored.
const consumer = 'node_modules/.cache/check-build.mts';
mkdirSync('node_modules/.cache', { recursive: true });
writeFileSync(consumer, specifiers.map((specifier, i) => `export * as entry${i} from '${specifier}';\n`).join(''));
const settings = '--ignoreConfig --noEmit --strict --module nodenext --target es2022 --lib es2023,dom --types node';
const { stdout } = spawnSync('node_modules/.bin/tsc', [...settings.split(' '), consumer], { encoding: 'utf8' });
const ours = stdout.split('\n').filter((line) => /^(?:packages|node_modules\/\.cache)\/.*error TS/.test(line));
if (ours.length > 0) throw new Error(`The declarations do not hold:\n${ours.join('\n')}`);

const { SchemaChecker, systemClock } = await import('@va/core/adapter');
const { loadSileroVad } = await import('@va/media');
const probability = loadSileroVad().createStream().probability(new Int16Array(256));
if (!(probability >= 0 && probability < 0.5)) throw new Error(`Silence has the speech probability ${probability}`);

// A pattern with catastrophic backtracking must end at the deadline of the worker thread. If it ran in the event loop,
// the message would be another one.
const schemas = new SchemaChecker(systemClock);
const hostile = { type: 'object', properties: { a: { pattern: '^(a+)+$' } } };
const refusal = await schemas.check('org', hostile, { a: `${'a'.repeat(40)}!` }).catch(({ message }) => message);
if (!String(refusal).includes('2000 ms')) throw new Error(`The built schema worker answered: ${refusal}`);
await schemas.close();

const { recognize, synthesize } = await import('@va/local-speech');
const speech = await synthesize('hello world', { voice: 'slt' });
const heard = await recognize(speech, { phrases: ['hello world', 'good morning'] });
if (heard !== 'hello world') throw new Error(`The built recognizer heard: ${heard}`);
console.log('The build loads, detects, speaks and recognizes.');
