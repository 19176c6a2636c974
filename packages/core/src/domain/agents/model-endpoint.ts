import { z } from 'zod';
import { httpHeadersSchema } from '../records/http-headers.ts';
import { httpUrlSchema } from '../records/http-url.ts';

/** Endpoint of a customer's own model server, for the providers that accept one. */
export const modelEndpointFields = {
  /** Base URL of a service with the provider's API, such as `https://models.example.com/v1`. */
  url: httpUrlSchema.optional(),
  /** Headers of each request to `url`. Write-only: kept when the same URL is written again without them. */
  headers: httpHeadersSchema.optional(),
  /** Key for `url`. Write-only: kept when the model is written again without it for the same URL. */
  api_key: z
    .string()
    .max(4_000)
    .regex(/^[\x21-\x7e]+$/, 'expected printable ASCII characters without spaces')
    .optional(),
};

interface EndpointConfig {
  readonly url?: unknown;
  readonly headers?: unknown;
  readonly api_key?: unknown;
}

/** Returns false if the configuration has `headers` or `api_key` without the `url` that they are sent to. */
export function hasUrlForSecrets({ url, headers, api_key }: EndpointConfig): boolean {
  return url !== undefined || (headers === undefined && api_key === undefined);
}

export const urlForSecrets = { path: ['url'], message: 'headers and api_key need the url that they are sent to' };
