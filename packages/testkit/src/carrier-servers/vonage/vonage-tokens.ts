import { createHash, createHmac, generateKeyPairSync, verify } from 'node:crypto';
import { objectOf } from '../../provider-servers/local-server.ts';

/** Keys of an application, in PEM. */
export interface VonageKeys {
  readonly privateKey: string;
  readonly publicKey: string;
}

let keys: VonageKeys | null = null;

/** Returns the key pair of the application, which is generated at the first use. */
export function vonageKeys(): VonageKeys {
  if (keys !== null) return keys;
  const pair = generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  keys = pair;
  return pair;
}

/** Claims and secret of a signed webhook of Vonage. `wallMs` is the time of issue, in milliseconds since 1970. */
export interface VonageSigned {
  readonly applicationId: string;
  readonly secret: string;
  readonly payload: string;
  readonly wallMs: number;
}

/** Returns the token of a webhook: HS256, with the hash of the payload. */
export function vonageSignature({ applicationId, secret, payload, wallMs }: VonageSigned): string {
  const hash = createHash('sha256').update(payload).digest('hex');
  const iat = Math.floor(wallMs / 1_000);
  const claims = { iss: 'Vonage', iat, jti: hash.slice(0, 36), payload_hash: hash, application_id: applicationId };
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

/** Returns true if Vonage would accept a token for its API. */
export function isApiToken(token: string, applicationId: string, wallMs: number): boolean {
  const [head = '', claims = '', signature = ''] = token.split('.');
  const read = (part: string): Record<string, unknown> => objectOf(Buffer.from(part, 'base64url').toString());
  const { application_id: application, iat, exp, jti } = read(claims);
  const nowSeconds = wallMs / 1_000;
  const isCurrent = Number(iat) <= nowSeconds + 30 && (exp === undefined || Number(exp) > nowSeconds);
  const isOurs = application === applicationId && typeof jti === 'string';
  const bytes = Buffer.from(signature, 'base64url');
  const isValid = verify('sha256', Buffer.from(`${head}.${claims}`), vonageKeys().publicKey, bytes);
  return read(head).alg === 'RS256' && isCurrent && isOurs && isValid;
}
