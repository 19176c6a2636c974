import { createHmac } from 'node:crypto';

/** Parts of a webhook request that Plivo signs. */
export interface PlivoSigned {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly form?: Readonly<Record<string, string>>;
  readonly nonce: string;
}

/** Signs a request as Plivo does (signature V3). */
export function plivoSignature(authToken: string, { method, url, form = {}, nonce }: PlivoSigned): string {
  const [address, search] = url.split('?');
  const byName = ([a]: readonly string[], [b]: readonly string[]): number => ((a ?? '') < (b ?? '') ? -1 : 1);
  const query = [...new URLSearchParams(search)].sort(byName).map((pair) => pair.join('='));
  const fields = method === 'POST' ? Object.entries(form).sort(byName).flat().join('') : '';
  let base = address ?? '';
  if (query.length > 0 || fields !== '') base += `?${query.join('&')}`;
  if (query.length > 0 && fields !== '') base += '.';
  return createHmac('sha256', authToken).update(`${base}${fields}.${nonce}`).digest('base64');
}
