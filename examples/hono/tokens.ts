import { randomBytes } from 'node:crypto';
import type { HostPrincipal } from '@va/core';
import { sign, verify } from 'hono/jwt';
import { principalOf, users } from './users.ts';

/**
 * Key that signs the tokens. By default it is new at each start, so that tokens become invalid when the process ends.
 */
export const secret = process.env.JWT_SECRET ?? randomBytes(32).toString('base64url');
export const alg = 'HS256';

/** Returns a JWT that is valid for an hour. */
export async function tokenFor(name: string): Promise<string> {
  return await sign({ sub: name, exp: Math.floor(Date.now() / 1_000) + 3_600 }, secret, alg);
}

/** Returns the principal of a request; null if it has no token, or one that is forged or expired. */
export async function principalFrom(request: Request): Promise<HostPrincipal | null> {
  const token = request.headers.get('authorization')?.replace(/^Bearer /, '') ?? '';
  const claims = await verify(token, secret, alg).catch(() => null);
  const user = users.find(({ name }) => name === claims?.sub);
  return user === undefined ? null : principalOf(user);
}
