import { z } from 'zod';

const error = 'expected an http or https URL, with other characters percent-encoded (RFC 3986)';

const authority = String.raw`(?:[\w.~!$&'()*+,;=:@[\]-]|%[\da-f]{2})+`;
const path = String.raw`(?:[\w.~!$&'()*+,;=:@/-]|%[\da-f]{2})*`;
const query = String.raw`(?:[\w.~!$&'()*+,;=:@/?-]|%[\da-f]{2})*`;
/** @see RFC 3986 §3; a fragment has the characters of a query */
const uriPattern = new RegExp(`^https?://${authority}(?:/${path})?(?:\\?${query})?(?:#${query})?$`, 'i');

/**
 * An http or https URL of ASCII characters only. `new URL()` accepts others, but stored URLs must match `format: uri`
 * of the API's description.
 */
export const httpUrlSchema: z.ZodURL = z
  .url({ protocol: /^https?$/, error, abort: true })
  .refine((url) => uriPattern.test(url), { error });
