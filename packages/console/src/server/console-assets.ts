import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildFiles } from './build-files.ts';
import { type Files, readFiles } from './read-files.ts';

/** A file as `createHandler` of `@va/http` takes it. */
interface AssetFile {
  readonly body: Uint8Array;
  /** Media type, with its charset for texts. */
  readonly type: string;
  /** True if the name has a hash of the content. */
  readonly isImmutable: boolean;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
};

/**
 * Returns the files of the console, which are read once, at the first request.
 *
 * @example createHandler(va, { console: consoleAssets() });
 */
export function consoleAssets(): { file(path: string): Promise<AssetFile | null> } {
  let loading: Promise<Files> | null = null;
  return {
    async file(path) {
      loading ??= load().catch((thrown: unknown) => {
        loading = null;
        throw thrown;
      });
      const body = (await loading).get(path);
      const type = types[extname(path)];
      if (body === undefined || type === undefined) return null;
      return { body, type, isImmutable: path.startsWith('assets/') };
    },
  };
}

/** Loads the built files. If this module runs from its source, builds them with the Vite of the repository. */
async function load(): Promise<Files> {
  if (import.meta.url.endsWith('.ts')) return await buildFiles();
  return await readFiles(fileURLToPath(new URL('../app', import.meta.url)));
}
