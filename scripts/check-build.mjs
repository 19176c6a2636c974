import { readdirSync, readFileSync } from 'node:fs';

// What was built is what users get: each entry of each package has to load from dist/, and the parts that read files
// beside the code (weights, WebAssembly, workers) have to find them from there.
for (const name of readdirSync('packages')) {
  const { exports } = JSON.parse(readFileSync(`packages/${name}/package.json`, 'utf8'));
  for (const [entry, conditions] of Object.entries(exports)) {
    // An entry of types alone has nothing to load.
    if (conditions.default === undefined) continue;
    const specifier = `@va/${name}${entry.slice(1)}`;
    const resolved = import.meta.resolve(specifier);
    if (!resolved.includes('/dist/')) throw new Error(`${specifier} resolves to ${resolved}, not to the build`);
    const names = Object.keys(await import(specifier));
    if (names.length === 0) throw new Error(`${specifier} exports nothing`);
  }
}

const { loadSileroVad } = await import('@va/core');
const probability = loadSileroVad().createStream().probability(new Int16Array(256));
if (!(probability >= 0 && probability < 0.5)) throw new Error(`Silence has the speech probability ${probability}`);

const { recognize, synthesize } = await import('@va/local-speech');
const speech = await synthesize('hello world', { voice: 'slt' });
const heard = await recognize(speech, { phrases: ['hello world', 'good morning'] });
if (heard !== 'hello world') throw new Error(`The built recognizer heard: ${heard}`);
console.log('The build loads, detects, speaks and recognizes.');
