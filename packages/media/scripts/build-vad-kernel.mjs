// Assembles assets/silero-matvec.wat into assets/silero-matvec.wasm.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installTemporarily } from './install-temporarily.mjs';

const asset = (name) => fileURLToPath(new URL(`../assets/${name}`, import.meta.url));
const wat2wasm = join(installTemporarily(['wabt@1.0.39']), 'node_modules/.bin/wat2wasm');
execFileSync(wat2wasm, [asset('silero-matvec.wat'), '-o', asset('silero-matvec.wasm')], { stdio: 'inherit' });
