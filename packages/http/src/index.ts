export { createHandler } from './create-handler.ts';
export type { CorsOptions } from './engine/cors.ts';
export type { ErrorBody } from './engine/error-answer.ts';
export type { Handler, HandlerOptions } from './engine/handler.ts';
export type { HttpAnswer } from './engine/http-answer.ts';
export type { HttpRequest } from './engine/http-request.ts';
export type { RateLimitOptions } from './engine/rate-limits.ts';
export { type OpenApiDocument, openapi } from './openapi/document.ts';
export { routes } from './routes/routes.ts';
