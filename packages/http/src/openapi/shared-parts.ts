import type { JsonSchema } from './json-schemas.ts';

const header = (description: string, type: string): JsonSchema => ({ description, schema: { type } });

const headerParameter = (name: string, description: string, schema: JsonSchema): JsonSchema => ({
  name,
  in: 'header',
  required: false,
  description,
  schema,
});

/** What the operations of the description refer to. */
export const sharedParts: Readonly<Record<'securitySchemes' | 'headers' | 'parameters', JsonSchema>> = {
  securitySchemes: {
    bearer: { type: 'http', scheme: 'bearer', description: 'An API key, as in `Authorization: Bearer va_live_…`.' },
  },
  headers: {
    'X-Request-Id': header('Names the request in the log of the service.', 'string'),
    'X-RateLimit-Limit': header('Requests that the key has in a minute.', 'integer'),
    'X-RateLimit-Remaining': header('Requests that it has left in this one.', 'integer'),
    'X-RateLimit-Reset': header('When the next minute begins, in Unix time in seconds.', 'integer'),
    'Retry-After': header('Seconds.', 'integer'),
    'Idempotent-Replayed': header('`true` on the stored answer to an earlier request.', 'string'),
    Location: header('Where the new resource is.', 'string'),
    ETag: header('Names this state of the resource, for `If-None-Match`.', 'string'),
  },
  parameters: {
    'Idempotency-Key': headerParameter(
      'Idempotency-Key',
      'The same request under the same key is carried out once, within 24 hours.',
      { type: 'string', minLength: 1, maxLength: 255 },
    ),
    'If-None-Match': headerParameter('If-None-Match', 'The `ETag` of what the client has.', { type: 'string' }),
    Range: headerParameter('Range', 'One range of bytes, as in `bytes=0-999`.', { type: 'string' }),
  },
};
