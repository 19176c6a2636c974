export { sourceProgram, wholeProgram } from './source-program.ts';
