import { fileURLToPath } from 'node:url';
import { defineConfig, type UserConfig } from 'vite';

const config: UserConfig = defineConfig({
  root: fileURLToPath(new URL('src/app', import.meta.url)),
  // The page works under any mount path.
  base: './',
  publicDir: false,
  logLevel: 'warn',
  resolve: { conditions: ['@va/source', 'module', 'browser', 'development|production'] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: fileURLToPath(new URL('dist/app', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    // Scripts and styles that a strict content security policy allows: files, never data in the page.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    cssCodeSplit: true,
  },
});
export default config;
