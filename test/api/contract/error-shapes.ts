import { z } from 'zod';

const faults = z.array(z.strictObject({ path: z.string(), code: z.string(), message: z.string() }));

/** The body of every error. */
export const error = z.strictObject({
  error: z.string().min(1),
  code: z.string().regex(/^[a-z_]+$/),
  message: z.string().min(1),
  param: z.string().nullable(),
  details: z.array(z.string()),
  errors: faults,
  request_id: z.string().min(1),
  retry_after: z.int().min(1).optional(),
});

/** The error body as RFC 9457 problem details. */
export const problem = z.strictObject({
  type: z.string().min(1),
  title: z.string().min(1),
  status: z.int(),
  detail: z.string().min(1),
  code: z.string().regex(/^[a-z_]+$/),
  param: z.string().nullable(),
  details: z.array(z.string()),
  errors: faults,
  request_id: z.string().min(1),
  retry_after: z.int().min(1).optional(),
});
