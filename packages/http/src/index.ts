export type { ErrorBody } from './error-answer.ts';
export { createHandler, type Handler, type HandlerOptions, type Mount } from './handler.ts';
