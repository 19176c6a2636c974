import type { OrganizationRecord } from '../domain/accounts/organization.ts';
import type { JobQueue } from '../ports/jobs.ts';
import type { Collection } from '../ports/storage/collection.ts';
import type { Records } from '../ports/storage/records.ts';
import type { Storage } from '../ports/storage/storage.ts';
import { DataKeys, type DataKeysOptions, type KeyScope, newDataKey } from './data-keys.ts';
import { RecordSealer, sealedAcross, sealedCollection } from './sealed-collection.ts';
import { agentSecrets, organizationSecrets, toolTemplateSecrets } from './secret-fields.ts';

const sealed = new WeakSet<Storage>();

/**
 * Wraps a storage so that the secrets in organizations, agents and tool templates are sealed at rest with keys of the
 * vault. Records read through it have their secrets in clear. Secrets stored before a vault was configured are read as
 * they are and sealed when they are next written.
 */
export function sealedStorage(storage: Storage, options: DataKeysOptions): Storage {
  if (sealed.has(storage)) return storage;
  const keys = new DataKeys(storage, options);
  /** Maps the records given to the work of a transaction to the underlying ones. */
  const inner = new WeakMap<Records, Records>();
  const innerOf = (tx: Records): Records => inner.get(tx) ?? tx;

  function recordsWith(records: Records, scope: KeyScope): SealedRecords {
    const sealing = { scope, random: keys.random, isSealing: keys.isSealing };
    const ofOrganizations = { ...sealing, mapSecrets: organizationSecrets };
    const ofAgents = { ...sealing, mapSecrets: agentSecrets };
    const ofTemplates = { ...sealing, mapSecrets: toolTemplateSecrets };
    const across = (): Records['across'] => records.across;
    return {
      organizations: sealedCollection(() => records.organizations, ofOrganizations),
      agents: sealedCollection(() => records.agents, ofAgents),
      toolTemplates: sealedCollection(() => records.toolTemplates, ofTemplates),
      across: overlaid(across, {
        organizations: sealedAcross(() => across().organizations, ofOrganizations),
        agents: sealedAcross(() => across().agents, ofAgents),
        toolTemplates: sealedAcross(() => across().toolTemplates, ofTemplates),
      }),
    };
  }

  /** Creates a new organization together with its data key, which the vault stores in the same transaction. */
  async function insertOrganization(
    tx: Records,
    scope: KeyScope,
    orgId: string,
    record: OrganizationRecord,
  ): Promise<void> {
    const made = newDataKey(options);
    const sealer = new RecordSealer({
      mapSecrets: organizationSecrets,
      scope: { current: async () => made.key, open: (...address) => scope.open(...address) },
      random: keys.random,
      isSealing: true,
    });
    const sealedRecord = await sealer.seal(orgId, record.id, { ...record, sealing_key_id: made.key.id });
    await tx.organizations.insert(orgId, sealedRecord);
    await scope.put(orgId, made);
  }

  async function transaction<T>(work: (tx: Records) => Promise<T>): Promise<T> {
    return await keys.within(storage, async (tx, scope) => {
      const records = recordsWith(tx, scope);
      const organizations: Collection<OrganizationRecord> = {
        ...records.organizations,
        insert: (orgId, record) =>
          keys.isSealing ? insertOrganization(tx, scope, orgId, record) : tx.organizations.insert(orgId, record),
      };
      const given = overlaid(() => tx, { ...records, organizations });
      inner.set(given, tx);
      return await work(given);
    });
  }

  const outside = recordsWith(storage, keys.outside());
  const jobs = storage.jobs === undefined ? {} : { jobs: jobsWith(storage.jobs, innerOf) };
  const { sqlClient } = storage;
  const made: Storage = overlaid(() => storage, {
    ...outside,
    ...jobs,
    ...(sqlClient === undefined ? {} : { sqlClient: (tx: Records) => sqlClient.call(storage, innerOf(tx)) }),
    organizations: {
      ...outside.organizations,
      insert: (orgId: string, record: OrganizationRecord) =>
        keys.isSealing
          ? transaction((tx) => tx.organizations.insert(orgId, record))
          : storage.organizations.insert(orgId, record),
    },
    transaction,
  });
  sealed.add(made);
  return made;
}

type SealedRecords = Pick<Records, 'organizations' | 'agents' | 'toolTemplates' | 'across'>;

/** Returns a job queue that passes the underlying transaction to the given one. */
function jobsWith(jobs: JobQueue, innerOf: (tx: Records) => Records): JobQueue {
  const behind = (tx: Records | undefined): Records | undefined => (tx === undefined ? undefined : innerOf(tx));
  return overlaid(() => jobs, {
    send: (sent: Parameters<JobQueue['send']>[0], tx?: Records) => jobs.send(sent, behind(tx)),
    settle: (queue: string, settled: Parameters<JobQueue['settle']>[1], tx?: Records) =>
      jobs.settle(queue, settled, behind(tx)),
    forget: (queue: string, match: Parameters<JobQueue['forget']>[1], tx?: Records) =>
      jobs.forget(queue, match, behind(tx)),
  });
}

/**
 * Returns an object with some of its members replaced. Other methods are called on the original object, which may have
 * private fields.
 */
function overlaid<T extends object>(object: () => T, members: Partial<T>): T {
  const bound = new Map<PropertyKey, unknown>();
  return new Proxy(object(), {
    get(target, name) {
      if (Object.hasOwn(members, name)) return Reflect.get(members, name);
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      const known = bound.get(name);
      if (known !== undefined) return known;
      const method: unknown = value.bind(target);
      bound.set(name, method);
      return method;
    },
  });
}
