import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/**
 * Returns the client as one script for pages without a bundler: it defines `VaWeb` and `<va-call>`. It is the file
 * `dist/va-web.global.js` of this package.
 *
 * @example app.get('/va-web.js', async (_, response) => response.type('js').send(await webCallScript()));
 */
export async function webCallScript(): Promise<string> {
  if (!import.meta.url.endsWith('.ts')) {
    return await readFile(new URL('../va-web.global.js', import.meta.url), 'utf8');
  }
  // When run from source, bundles the package with the repository's esbuild.
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../client/script.ts', import.meta.url))],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'VaWeb',
    target: 'es2022',
    minify: true,
  });
  return outputFiles[0]?.text ?? '';
}
