import { createHmac, timingSafeEqual } from 'node:crypto';

export interface PlivoSignedRequest {
  readonly method: string;
  /** Public URL of the request, with its query. */
  readonly url: string;
  /** Form fields; empty for a GET request. */
  readonly form: URLSearchParams;
}

/** Headers of signature V3. */
export interface PlivoSignature {
  /** `X-Plivo-Signature-V3`: one signature per auth token of the account, separated by commas. */
  readonly signatures: string | null;
  /** `X-Plivo-Signature-V3-Nonce`. */
  readonly nonce: string | null;
}

/** Maximum number of simultaneous auth tokens of an account. */
const maxSignatures = 10;

export function signatureOf(headers: Headers): PlivoSignature {
  const nonce = headers.get('x-plivo-signature-v3-nonce');
  return { signatures: headers.get('x-plivo-signature-v3'), nonce };
}

/**
 * Verifies signature V3: base64 of HMAC-SHA256 over the URL with sorted query, the sorted fields and the nonce.
 *
 * @see https://docs.plivo.com/docs/voice/concepts/signature-validation
 */
export function isSigned(
  request: PlivoSignedRequest,
  { signatures, nonce }: PlivoSignature,
  authToken: string,
): boolean {
  if (signatures === null || nonce === null || nonce === '') return false;
  const expected = createHmac('sha256', authToken)
    .update(`${baseOf(request)}.${nonce}`, 'utf8')
    .digest();
  return signatures.split(',', maxSignatures).some((signature) => {
    const given = Buffer.from(signature.trim(), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

function baseOf({ method, url, form }: PlivoSignedRequest): string {
  const [address = '', search = ''] = url.split('?', 2);
  const query = sorted(new URLSearchParams(search))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
  const fields = method === 'GET' ? [] : sorted(form);
  const hasFields = fields.length > 0;
  const start = query !== '' || hasFields ? `${address}?${query}` : address;
  const dot = query !== '' && hasFields ? '.' : '';
  return `${start}${dot}${fields.flat().join('')}`;
}

function sorted(fields: URLSearchParams): [name: string, value: string][] {
  return [...fields].sort(([a, x], [b, y]) => order(a, b) || order(x, y));
}

/** Compares by UTF-16 code units, as JavaScript sorts by default. */
function order(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
