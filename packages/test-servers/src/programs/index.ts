export { bundleSources, othersApart } from './bundled-sources.ts';
export { sourceProgram } from './source-program.ts';
