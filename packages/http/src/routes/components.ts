import { z } from 'zod';

/** The schemas that the API's description calls by name. A registry of our own: zod's global one is the host's. */
export const components = z.registry<{ id: string }>();

const named = new Map<string, z.ZodType>();

/** Names a schema, so that the description tells of it once. The schema stays as it is. */
export function component<Schema extends z.ZodType>(id: string, schema: Schema): Schema {
  const taken = named.get(id);
  if (taken !== undefined && taken !== schema) throw new Error(`Two schemas are called ${id}.`);
  named.set(id, schema);
  components.add(schema, { id });
  return schema;
}
