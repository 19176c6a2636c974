export { bundleSources, othersApart } from './bundled-sources.ts';
export { sourceProgram, wholeProgram } from './source-program.ts';
