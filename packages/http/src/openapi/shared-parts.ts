import type { JsonSchema } from './json-schemas.ts';

const header = (description: string, type: string): JsonSchema => ({ description, schema: { type } });

const headerParameter = (name: string, description: string, schema: JsonSchema): JsonSchema => ({
  name,
  in: 'header',
  required: false,
  description,
  schema,
});

/** Components that the operations refer to. */
export const sharedParts: Readonly<Record<'securitySchemes' | 'headers' | 'parameters', JsonSchema>> = {
  securitySchemes: {
    bearer: { type: 'http', scheme: 'bearer', description: 'An API key, as in `Authorization: Bearer va_live_…`.' },
  },
  headers: {
    'X-Request-Id': header('Identifies the request in the log of the service.', 'string'),
    'X-RateLimit-Limit': header('Requests per minute that the key may send.', 'integer'),
    'X-RateLimit-Remaining': header('Requests left in the current minute.', 'integer'),
    'X-RateLimit-Reset': header('End of the current window, Unix time in seconds.', 'integer'),
    'Retry-After': header('Seconds.', 'integer'),
    'Idempotent-Replayed': header('`true` if the response was stored for an earlier request.', 'string'),
    Location: header('URL of the new resource.', 'string'),
    ETag: header("Validator of the resource's current state, for `If-None-Match`.", 'string'),
  },
  parameters: {
    'Idempotency-Key': headerParameter('Idempotency-Key', 'Requests with the same key run once within 24 hours.', {
      type: 'string',
      minLength: 1,
      maxLength: 255,
    }),
    'If-None-Match': headerParameter('If-None-Match', "The `ETag` of the client's representation.", { type: 'string' }),
    Range: headerParameter('Range', 'A single byte range, such as `bytes=0-999`.', { type: 'string' }),
  },
};
