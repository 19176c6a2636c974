import {
  type CollectionName,
  type CollectionSchema,
  collectionNames,
  collectionSchemas,
  type Records,
  type Storage,
} from '@va/core/adapter';
import { memory } from '@va/storage/memory';
import {
  type AnyCollection,
  type AnyCollectionAcross,
  type AnyRecord,
  anyAcross,
  anyCollection,
} from '../../../src/storage/any-records.ts';

/** A collection of the correct storage, or of one of its transactions. */
export interface Sound {
  readonly name: CollectionName;
  readonly schema: CollectionSchema;
  readonly collection: AnyCollection;
  readonly across: AnyCollectionAcross;
  /** The other collections. */
  readonly records: Records;
}

export interface Alteration {
  /** The altered verbs. */
  readonly verbs?: (sound: Sound) => Partial<AnyCollection>;
  readonly across?: (sound: Sound) => Partial<AnyCollectionAcross>;
  /** Altered parts of the storage itself. */
  readonly storage?: (sound: Storage) => Partial<Pick<Storage, 'transaction' | 'migrations' | 'close'>>;
}

/** Applies an alteration to the storage in memory, including its transactions. */
export function altered({ verbs, across, storage: parts }: Alteration): Storage {
  const sound = memory();
  const storage = { ...sound, ...parts?.(sound) };
  const alter = (records: Records): Records => {
    const collections = collectionNames.map((name) => {
      const collection = anyCollection(records, name);
      const schema = schemas.get(name);
      if (schema === undefined) throw new Error(`no collection ${name}`);
      const one: Sound = { name, schema, collection, across: anyAcross(records, name), records };
      return [name, { ...collection, ...verbs?.(one) }, { ...one.across, ...across?.(one) }] as const;
    });
    const alteredAcross = Object.fromEntries(collections.map(([name, , each]) => [name, each]));
    const byName = Object.fromEntries(collections.map(([name, each]) => [name, each]));
    return { ...byName, across: alteredAcross } as unknown as Records;
  };
  return {
    ...storage,
    ...alter(sound),
    transaction: (work) => storage.transaction((tx) => work(alter(tx))),
  };
}

const schemas: ReadonlyMap<CollectionName, CollectionSchema> = new Map(
  collectionSchemas.map((each) => [each.name, each]),
);

/** Yields to other pending work. */
export function tick(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Changes every record that `get` returns. */
export function alteredGet(change: (record: AnyRecord, schema: CollectionSchema) => AnyRecord): Alteration {
  return {
    verbs: ({ collection, schema }) => ({
      async get(orgId, id) {
        const record = await collection.get(orgId, id);
        return record === null ? null : change(record, schema);
      },
    }),
  };
}

/** Changes the values of a kind that `get` returns. */
export function alteredKind(
  kind: CollectionSchema['fields'][number]['kind'],
  change: (value: unknown) => unknown,
): Alteration {
  return alteredGet((record, { fields }) => {
    const changed = fields.filter((field) => field.kind === kind && record[field.name] !== null);
    return { ...record, ...Object.fromEntries(changed.map(({ name }) => [name, change(record[name])])) };
  });
}

/** Finds the owner of a record, regardless of the requesting organization. */
export async function ownerOf({ across }: Sound, id: unknown): Promise<string | undefined> {
  if (typeof id !== 'string') return undefined;
  const [found] = await across.find({ where: { id } }, 1);
  return found?.orgId;
}
