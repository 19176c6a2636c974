import { callStatuses } from '@va/core';
import { type Records, type Storage, UniqueViolation } from '@va/core/adapter';
import fc from 'fast-check';
import { type AnyRecord, anyAcross, anyCollection } from '../any-records.ts';
import { newId, sampleRecord, schemaOf, second } from '../samples.ts';

/** State of one sequence, the same for both storages. */
export interface World {
  readonly orgId: string;
  /** Records by collection in the order of insertion, including those that were refused or deleted. */
  readonly records: { readonly [N in ModelCollection]: AnyRecord[] };
  readonly agentIds: readonly string[];
  /** Value in every record of the sequence and in every filter, so that no other record is found. */
  readonly mark: string;
}

type ModelCollection = 'calls' | 'webhookDeliveries';

/** A command, which has to give the same result on both storages. */
export interface Command {
  readonly says: string;
  /** Prepares the step that runs on both storages. */
  prepare(world: World): (storage: Storage) => Promise<unknown>;
}

/** A command that can be part of a transaction. */
interface RecordCommand extends Command {
  prepare(world: World): (records: Records) => Promise<unknown>;
}

/** Returns the state of a new sequence, in an organization of its own. */
export function newWorld(): World {
  return {
    orgId: newId(),
    records: { calls: [], webhookDeliveries: [] },
    agentIds: [newId(), newId()],
    mark: newId(),
  };
}

const collection = fc.constantFrom<ModelCollection>('calls', 'webhookDeliveries');
const statuses: { readonly [N in ModelCollection]: readonly string[] } = {
  calls: callStatuses,
  webhookDeliveries: ['pending', 'delivered', 'failed'],
};
/** Index of a record; small, so that several commands use the same one. */
const index = fc.nat({ max: 9 });

/** Values of a record's fields, chosen by numbers, so that failures are short. */
const choice = fc.record({
  status: fc.nat(),
  agent: fc.nat(),
  integer: fc.option(fc.integer({ min: -9, max: 9 })),
  key: fc.nat({ max: 12 }),
});
type Choice = typeof choice extends fc.Arbitrary<infer T> ? T : never;

function fieldsOf(world: World, name: ModelCollection, chosen: Choice): Record<string, unknown> {
  const { agentIds } = world;
  const shared = {
    status: statuses[name][chosen.status % statuses[name].length],
    agent_id: agentIds[chosen.agent % (agentIds.length + 1)] ?? null,
  };
  if (name === 'calls') return { ...shared, duration_seconds: chosen.integer, campaign_id: world.mark };
  return { ...shared, status_code: chosen.integer, event: world.mark };
}

function newRecord(world: World, name: ModelCollection, chosen: Choice): AnyRecord {
  const n = world.records[name].length;
  const record = sampleRecord(schemaOf(name), n, { ...fieldsOf(world, name, chosen), created_at: second(n) });
  const unique = name === 'webhookDeliveries' ? { ...record, webhook_id: `${world.mark} ${chosen.key}` } : record;
  world.records[name].push(unique);
  return unique;
}

/** A filter by up to two fields. */
const filterChoice = fc.record({ by: fc.constantFrom('status', 'agent_id', 'both', 'none'), chosen: choice });
type FilterChoice = typeof filterChoice extends fc.Arbitrary<infer T> ? T : never;

function whereOf(world: World, name: ModelCollection, { by, chosen }: FilterChoice): Record<string, unknown> {
  const { status, agent_id } = fieldsOf(world, name, chosen);
  const mark = name === 'calls' ? { campaign_id: world.mark } : { event: world.mark };
  if (by === 'none') return mark;
  return { ...mark, ...(by === 'agent_id' ? {} : { status }), ...(by === 'status' ? {} : { agent_id }) };
}

function idAt({ records }: World, name: ModelCollection, at: number): string {
  return records[name][at % (records[name].length + 1)]?.id ?? '00000000-0000-7000-8000-000000000000';
}

/** Returns the changeable fields: those that do not assign the record to the sequence. */
function changesOf(world: World, name: ModelCollection, chosen: Choice): Record<string, unknown> {
  const { status, agent_id } = fieldsOf(world, name, chosen);
  return { status, agent_id };
}

type Verb = (world: World, name: ModelCollection) => (records: Records) => Promise<unknown>;

function step(says: string, name: ModelCollection, verb: Verb): RecordCommand {
  return { says: `${name}: ${says}`, prepare: (world) => verb(world, name) };
}

const amountOf = { calls: 'duration_seconds', webhookDeliveries: 'status_code' } as const;

const inserting: fc.Arbitrary<RecordCommand> = fc.oneof(
  fc.tuple(collection, choice).map(([name, chosen]) =>
    step('insert', name, (world) => {
      const record = newRecord(world, name, chosen);
      return (records) => anyCollection(records, name).insert(world.orgId, record);
    }),
  ),
  fc.tuple(collection, fc.array(choice, { maxLength: 4 }), index).map(([name, choices, at]) =>
    step('insertMany, one of them again', name, (world) => {
      const again = world.records[name][at];
      const list = choices.map((chosen) => newRecord(world, name, chosen));
      return (records) => anyCollection(records, name).insertMany(world.orgId, again ? [...list, again] : list);
    }),
  ),
);

const changing: fc.Arbitrary<RecordCommand> = fc.oneof(
  fc.tuple(collection, index, choice).map(([name, at, chosen]) =>
    step(`update the record ${at}`, name, (world) => {
      const [id, changes] = [idAt(world, name, at), changesOf(world, name, chosen)];
      return (records) => anyCollection(records, name).update(world.orgId, id, changes);
    }),
  ),
  fc.tuple(collection, index, choice, choice).map(([name, at, chosen, expected]) =>
    step(`update the record ${at} if it is as expected`, name, (world) => {
      const [id, changes] = [idAt(world, name, at), changesOf(world, name, chosen)];
      const { status } = fieldsOf(world, name, expected);
      return (records) => anyCollection(records, name).update(world.orgId, id, changes, { status });
    }),
  ),
  fc.tuple(collection, filterChoice, choice).map(([name, filter, chosen]) =>
    step('updateMany', name, (world) => {
      const [where, changes] = [whereOf(world, name, filter), changesOf(world, name, chosen)];
      return (records) => anyCollection(records, name).updateMany(world.orgId, { where }, changes);
    }),
  ),
  fc.tuple(collection, index, fc.integer({ min: -9, max: 9 })).map(([name, at, amount]) =>
    step(`increment the record ${at}`, name, (world) => {
      const id = idAt(world, name, at);
      return (records) => anyCollection(records, name).increment(world.orgId, id, { [amountOf[name]]: amount });
    }),
  ),
  fc.tuple(collection, index, choice).map(([name, at, expected]) =>
    step(`lock the record ${at} if it is as expected`, name, (world) => {
      const [id, { status }] = [idAt(world, name, at), fieldsOf(world, name, expected)];
      return (records) => anyCollection(records, name).lock(world.orgId, id, { status });
    }),
  ),
  fc.tuple(collection, index).map(([name, at]) =>
    step(`delete the record ${at}`, name, (world) => {
      const id = idAt(world, name, at);
      return (records) => anyCollection(records, name).delete(world.orgId, id);
    }),
  ),
  fc.tuple(collection, filterChoice, choice, fc.integer({ min: 1, max: 4 })).map(([name, filter, chosen, limit]) =>
    step('claim', name, (world) => {
      const [where, changes] = [whereOf(world, name, filter), changesOf(world, name, chosen)];
      return (records) => anyAcross(records, name).claim({ filter: { where }, changes, limit });
    }),
  ),
  fc.tuple(collection, filterChoice, fc.integer({ min: 1, max: 3 })).map(([name, filter, limit]) =>
    step('purge', name, (world) => {
      const where = whereOf(world, name, filter);
      return (records) => anyAcross(records, name).purge({ where }, limit);
    }),
  ),
);

const reading: fc.Arbitrary<RecordCommand> = fc.oneof(
  fc.tuple(collection, filterChoice).map(([name, filter]) =>
    step('count', name, (world) => {
      const where = whereOf(world, name, filter);
      return (records) => anyCollection(records, name).count(world.orgId, { where });
    }),
  ),
  fc.tuple(collection, filterChoice).map(([name, filter]) =>
    step('sum', name, (world) => {
      const where = whereOf(world, name, filter);
      return (records) => anyCollection(records, name).sum(world.orgId, [amountOf[name]], { where });
    }),
  ),
  fc.tuple(collection, filterChoice, fc.nat({ max: 5 }), fc.nat({ max: 3 })).map(([name, filter, limit, offset]) =>
    step('list', name, (world) => {
      const where = whereOf(world, name, filter);
      return (records) => anyCollection(records, name).list(world.orgId, { where, limit, offset });
    }),
  ),
);

/** Several steps in one transaction, without inserts: a refused step would undo the others. */
const together: fc.Arbitrary<Command> = fc.array(changing, { minLength: 2, maxLength: 4 }).map((steps) => ({
  says: `in one transaction: ${steps.map(({ says }) => says).join(' and ')}`,
  prepare: (world) => {
    const prepared = steps.map(({ prepare }) => prepare(world));
    return (storage) =>
      storage.transaction(async (tx) => {
        const results: unknown[] = [];
        for (const run of prepared) results.push(await run(tx));
        return results;
      });
  },
}));

/** Generates a sequence of 1 to 40 commands. */
export const commands: fc.Arbitrary<readonly Command[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: inserting },
    { weight: 9, arbitrary: changing },
    { weight: 1, arbitrary: together },
    { weight: 4, arbitrary: reading },
  ),
  { minLength: 1, maxLength: 40, size: 'max' },
);

/** Returns the result of a step in comparable form. */
export async function outcome(work: Promise<unknown>): Promise<unknown> {
  try {
    return { returned: await work };
  } catch (error) {
    if (error instanceof UniqueViolation) return { refused: error.constraint };
    throw error;
  }
}

/** Returns all records of the sequence, with counts and sums. */
export async function everything(records: Records, { orgId, mark }: World): Promise<unknown> {
  const collections = [
    { name: 'calls', marked: { campaign_id: mark }, amount: 'duration_seconds' },
    { name: 'webhookDeliveries', marked: { event: mark }, amount: 'status_code' },
  ] as const;
  const totals = collections.map(async ({ name, marked, amount }) => {
    const collection = anyCollection(records, name);
    const counts = statuses[name].map((status) => collection.count(orgId, { where: { ...marked, status } }));
    return {
      records: await collection.list(orgId, { limit: 1_000 }),
      sums: await collection.sum(orgId, [amount], { where: marked }),
      counts: await Promise.all(counts),
    };
  });
  return await Promise.all(totals);
}
