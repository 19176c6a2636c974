import { createHmac, timingSafeEqual } from 'node:crypto';

/** The signed parts of a request. */
export interface TwilioSignedRequest {
  /** Public URL of the request, with its query. */
  readonly url: string;
  /** Form fields; empty for other requests. */
  readonly form: URLSearchParams;
}

/**
 * Verifies the signature of a request: base64 of HMAC-SHA1 over the URL and the sorted form fields. Accepts the URL
 * with and without the default port, and both query encodings that Twilio signs.
 *
 * @see https://www.twilio.com/docs/usage/webhooks/webhooks-security
 */
export function isSigned(request: TwilioSignedRequest, signature: string | null, authToken: string): boolean {
  if (signature === null) return false;
  const given = Buffer.from(signature, 'base64');
  const fields = fieldsText(request.form);
  return formsOf(request.url).some((url) => {
    const expected = createHmac('sha1', authToken).update(`${url}${fields}`, 'utf8').digest();
    return expected.length === given.length && timingSafeEqual(expected, given);
  });
}

/** Sorts by name, then value. Duplicate values of a name count once. */
function fieldsText(form: URLSearchParams): string {
  const names = [...new Set(form.keys())].sort();
  return names.flatMap((name) => [...new Set(form.getAll(name))].sort().map((value) => `${name}${value}`)).join('');
}

function formsOf(text: string): string[] {
  if (!URL.canParse(text)) return [text];
  const url = new URL(text);
  const port = url.port === '' ? (/^(?:https|wss):$/.test(url.protocol) ? '443' : '80') : url.port;
  const credentials = url.username === '' ? '' : `${url.username}:${url.password}@`;
  const origins = [url.hostname, `${url.hostname}:${port}`].map((host) => `${url.protocol}//${credentials}${host}`);
  const path = `${url.pathname}`;
  const encoded = url.searchParams.toString();
  const queries = new Set([url.search, encoded === '' ? '' : `?${encoded}`]);
  return [text, ...origins.flatMap((origin) => [...queries].map((query) => `${origin}${path}${query}`))];
}
