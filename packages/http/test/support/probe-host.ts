import {
  createIdempotencyStore,
  createOperations,
  type HandlerHost,
  RequestError,
  systemClock,
  systemRandom,
  timestamp,
} from '@va/core/adapter';
import { memory } from '@va/storage/memory';
import { ScriptedWebhooks, silentLogger } from '@va/testkit';

export interface ProbeHost {
  readonly host: HandlerHost;
  readonly logged: { readonly fields: Record<string, unknown>; readonly message: string }[];
  /** The requests that the host's own `authenticate` was given. */
  readonly seen: Request[];
}

/**
 * A host whose keys are the names of organizations: `Bearer acme` may do all in `acme`; `Bearer acme:a:read` only that.
 */
export function createProbeHost(changes: Partial<HandlerHost> = {}): ProbeHost {
  const logged: ProbeHost['logged'] = [];
  const seen: Request[] = [];
  const storage = memory();
  const recordings = {
    create: () => Promise.reject(new Error('Recording is disabled.')),
    open: () => Promise.resolve(null),
    delete: async () => false,
  };
  const host: HandlerHost = {
    operations: createOperations({
      storage,
      recordings,
      webhooks: new ScriptedWebhooks(),
      clock: systemClock,
      random: systemRandom,
    }),
    idempotency: createIdempotencyStore({ storage, clock: systemClock, random: systemRandom }),
    clock: systemClock,
    logger: { ...silentLogger, error: (fields, message) => logged.push({ fields, message }) },
    async authenticate({ authorization, toRequest }) {
      seen.push(toRequest());
      const [, orgId, scope] = /^Bearer (\w+):?(.*)$/.exec(authorization ?? '') ?? [];
      if (orgId === undefined) throw new RequestError(401, 'unauthorized', 'Send a key.');
      return { orgId, scopes: scope === '' ? ['*'] : [scope ?? ''], keyId: `key of ${orgId}` };
    },
    deployment: async () => ({ nodes: [], queues: [] }),
    readiness: async () => ({ status: 'ready', reason: null }),
    health: async () => ({ status: 'ok', version: '1', timestamp: timestamp(systemClock), checks: {} }),
    ...changes,
  };
  return { host, logged, seen };
}
