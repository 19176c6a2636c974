export { type CallQuery, type Client, createClient, type PageQuery } from './client.ts';
export { ApiError, ConnectionError, type FieldError } from './errors.ts';
export type { ClientOptions } from './transport.ts';
