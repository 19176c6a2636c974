import type { FormSchema } from '../data/schema.ts';
import { baseUrl } from '../session/base-url.ts';

let loading: Promise<Readonly<Record<string, FormSchema>>> | null = null;

/** Returns a component schema of the API's OpenAPI document, which is loaded once, on first use. */
export async function loadSchema(name: string): Promise<FormSchema> {
  loading ??= loadSchemas().catch((thrown: unknown) => {
    loading = null;
    throw thrown;
  });
  const schema = (await loading)[name];
  if (schema === undefined) throw new Error(`The description of the API has no ${name}.`);
  return schema;
}

async function loadSchemas(): Promise<Readonly<Record<string, FormSchema>>> {
  const response = await fetch(`${baseUrl}/api/v1/openapi.json`);
  if (!response.ok) throw new Error(`The description of the API was refused (${response.status}).`);
  const { components } = (await response.json()) as { components: { schemas: Record<string, FormSchema> } };
  return components.schemas;
}
