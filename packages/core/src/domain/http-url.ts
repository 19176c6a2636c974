import { z } from 'zod';

const error = 'expected an http or https URL, with other characters percent-encoded (RFC 3986)';

/**
 * An http or https URL as RFC 3986 writes it: ASCII only, without spaces. `new URL()` takes more, but what is stored has to be
 * what the API describes as `format: uri`.
 */
export const httpUrlSchema: z.ZodURL = z.url({ protocol: /^https?$/, error, abort: true }).refine(isUri, { error });

const part = String.raw`(?:[\w.~!$&'()*+,;=:@/-]|%[\da-f]{2})*`;
const queryPart = String.raw`(?:[\w.~!$&'()*+,;=:@/?-]|%[\da-f]{2})*`;
const authority = String.raw`(?:[\w.~!$&'()*+,;=:@[\]-]|%[\da-f]{2})+`;
const uriPattern = new RegExp(`^https?://${authority}(?:/${part})?(?:\\?${queryPart})?(?:#${queryPart})?$`, 'i');

function isUri(text: string): boolean {
  return uriPattern.test(text);
}
