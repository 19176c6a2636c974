import type { JsonSchema } from './json-schemas.ts';

const facts: JsonSchema = {
  code: { type: 'string', description: 'Stable identifier for programs. Codes beyond the listed ones may be added.' },
  param: { type: ['string', 'null'], description: 'The one field at fault.' },
  details: { type: 'array', items: { type: 'string' } },
  errors: {
    type: 'array',
    items: {
      type: 'object',
      required: ['path', 'code', 'message'],
      properties: { path: { type: 'string' }, code: { type: 'string' }, message: { type: 'string' } },
    },
  },
  request_id: { type: 'string' },
  retry_after: { type: 'integer', description: 'Seconds after which the same request may succeed.' },
};

const requiredFacts = ['code', 'param', 'details', 'errors', 'request_id'];

/** The body of every error, and its RFC 9457 form. */
export const errorSchemas: Readonly<Record<'Error' | 'Problem', JsonSchema>> = {
  Error: {
    type: 'object',
    required: ['error', 'message', ...requiredFacts],
    properties: {
      error: { type: 'string' },
      message: { type: 'string', description: 'Explanation for humans.' },
      ...facts,
    },
  },
  Problem: {
    type: 'object',
    description: 'Sent to clients that accept `application/problem+json`.',
    required: ['type', 'title', 'status', 'detail', ...requiredFacts],
    properties: {
      type: { type: 'string', format: 'uri-reference' },
      title: { type: 'string' },
      status: { type: 'integer' },
      detail: { type: 'string' },
      ...facts,
    },
  },
};
