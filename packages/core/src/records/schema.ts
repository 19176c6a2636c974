import { collectionNames, collections } from './collections.ts';
import type { FieldKind, Reference } from './definition.ts';
import type { CollectionName } from './record-types.ts';
import type { Order } from './stored-record.ts';
import type { TableName } from './table-names.ts';

/** A field of a collection. */
export interface FieldSchema {
  readonly name: string;
  readonly kind: FieldKind;
  readonly nullable: boolean;
}

/** Definition of a collection as data, for adapters that treat all collections alike. */
export interface CollectionSchema {
  readonly name: CollectionName;
  readonly table: TableName;
  readonly order: Order;
  readonly ownsItself: boolean;
  /** In the order of the record's properties. */
  readonly fields: readonly FieldSchema[];
  readonly unique: readonly UniqueSchema[];
  readonly references: readonly ReferenceSchema[];
  /** Fields of other collections that refer to this one. */
  readonly referencedBy: readonly ReferrerSchema[];
  readonly indexes: readonly string[];
  /** JSON fields with a list of objects whose `content` can be searched for words. */
  readonly searched: readonly string[];
}

/** A unique constraint of a collection. */
export interface UniqueSchema {
  readonly name: string;
  readonly fields: readonly string[];
  readonly scope: 'organization' | 'deployment';
}

/** A reference of a collection. */
export interface ReferenceSchema {
  readonly field: string;
  readonly to: CollectionName;
  readonly onDelete: Reference['onDelete'];
}

/** A collection that refers to this one. */
export interface ReferrerSchema {
  readonly from: CollectionName;
  readonly field: string;
  readonly onDelete: Reference['onDelete'];
}

/** Schemas of all collections. A collection follows those that it refers to. */
export const collectionSchemas: readonly CollectionSchema[] = collectionNames.map((name) => {
  const { table, order, ownsItself, fields, unique, indexes, searched } = collections[name];
  return {
    name,
    table,
    order,
    ownsItself,
    fields: Object.entries(fields).map(([field, kind]) => fieldSchema(field, kind)),
    unique: Object.entries(unique).map(([constraint, rest]) => ({ name: constraint, ...rest })),
    references: referencesOf(name),
    referencedBy: collectionNames.flatMap((from) =>
      referencesOf(from)
        .filter(({ to }) => to === name)
        .map(({ field, onDelete }) => ({ from, field, onDelete })),
    ),
    indexes,
    searched,
  };
});

function fieldSchema(name: string, kind: FieldKind | `${FieldKind}?`): FieldSchema {
  const nullable = kind.endsWith('?');
  return { name, kind: (nullable ? kind.slice(0, -1) : kind) as FieldKind, nullable };
}

function referencesOf(name: CollectionName): ReferenceSchema[] {
  const references: Readonly<Record<string, Reference | undefined>> = collections[name].references;
  return Object.entries(references).flatMap(([field, reference]) => (reference ? [{ field, ...reference }] : []));
}
