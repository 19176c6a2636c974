import { randomBytes } from 'node:crypto';
import type { HostPrincipal } from '@va/core';
import { sign, verify } from 'hono/jwt';
import { principalOf, users } from './users.ts';

/** With one of its own for each start, tokens end with the process. */
export const secret = process.env.JWT_SECRET ?? randomBytes(32).toString('base64url');
export const alg = 'HS256';

/** A JWT for an hour. */
export async function tokenFor(name: string): Promise<string> {
  return await sign({ sub: name, exp: Math.floor(Date.now() / 1_000) + 3_600 }, secret, alg);
}

/** Whose token a request brings; null for one without, or whose token is forged or over. */
export async function principalFrom(request: Request): Promise<HostPrincipal | null> {
  const token = request.headers.get('authorization')?.replace(/^Bearer /, '') ?? '';
  const claims = await verify(token, secret, alg).catch(() => null);
  const user = users.find(({ name }) => name === claims?.sub);
  return user === undefined ? null : principalOf(user);
}
