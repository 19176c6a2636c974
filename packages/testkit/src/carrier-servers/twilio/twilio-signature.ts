import { createHmac } from 'node:crypto';

/** Signs a request as Twilio does: base64 of HMAC-SHA1 over the URL and the sorted fields of the form. */
export function twilioSignature(authToken: string, url: string, form: Readonly<Record<string, string>> = {}): string {
  const fields = Object.keys(form)
    .sort()
    .map((name) => `${name}${form[name]}`);
  return createHmac('sha1', authToken)
    .update(`${url}${fields.join('')}`)
    .digest('base64');
}
