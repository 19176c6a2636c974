import { z } from 'zod';

/** The named schemas of the OpenAPI document. A registry of our own, because zod's global one belongs to the host. */
export const components = z.registry<{ id: string }>();

const named = new Map<string, z.ZodType>();

/** Names a schema, so that the OpenAPI document defines it once. Returns the schema unchanged. */
export function component<Schema extends z.ZodType>(id: string, schema: Schema): Schema {
  const taken = named.get(id);
  if (taken !== undefined && taken !== schema) throw new Error(`Two schemas have the name ${id}.`);
  named.set(id, schema);
  components.add(schema, { id });
  return schema;
}
