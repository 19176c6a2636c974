import { createOperations, RequestError, systemClock, systemRandom, timestamp } from '@va/core';
import { memory } from '@va/storage/memory';
import { silentLogger } from '@va/testkit';
import type { HttpHost } from '../../src/engine/handler.ts';

export interface ProbeHost {
  readonly host: HttpHost;
  readonly logged: { readonly fields: Record<string, unknown>; readonly message: string }[];
  /** The requests that the host's own `authenticate` was given. */
  readonly seen: Request[];
}

/** A host whose keys are the names of organizations: `Bearer acme` may do all in `acme`; `Bearer acme:a:read` only that. */
export function createProbeHost(changes: Partial<HttpHost> = {}): ProbeHost {
  const logged: ProbeHost['logged'] = [];
  const seen: Request[] = [];
  const storage = memory();
  const recordings = {
    create: () => Promise.reject(new Error('Nothing records here.')),
    open: () => Promise.resolve(null),
  };
  const host: HttpHost = {
    operations: createOperations({ storage, recordings, clock: systemClock, random: systemRandom }),
    clock: systemClock,
    logger: { ...silentLogger, error: (fields, message) => logged.push({ fields, message }) },
    async authenticate(request) {
      seen.push(request);
      const [, orgId, scope] = /^Bearer (\w+):?(.*)$/.exec(request.headers.get('authorization') ?? '') ?? [];
      if (orgId === undefined) throw new RequestError(401, 'unauthorized', 'Send a key.');
      return { orgId, scopes: scope === '' ? ['*'] : [scope ?? ''], keyId: `key of ${orgId}` };
    },
    health: async () => ({ status: 'ok', version: '1', timestamp: timestamp(systemClock), checks: {} }),
    ...changes,
  };
  return { host, logged, seen };
}
