import { isFields, type JsonObject, valueAt } from '../../../data/paths.ts';
import { type FormSchema, present, schemaAt } from '../../../data/schema.ts';
import { toolTexts } from '../../../texts/en/agents.ts';

export type ToolType = keyof typeof toolTexts.types;
export const toolTypes = Object.keys(toolTexts.types) as readonly ToolType[];

/** Returns the schemas of tools by type: of each type the first one in the flat form, without `function`. */
export function toolSchemas(agent: FormSchema): ReadonlyMap<string, FormSchema> {
  const items = present(schemaAt(agent, 'llm_config.tools') ?? {}).items ?? {};
  const found = new Map<string, FormSchema>();
  for (const each of items.anyOf ?? items.oneOf ?? []) {
    const type = each.properties?.type?.const;
    if (typeof type === 'string' && !found.has(type) && each.properties?.function === undefined) found.set(type, each);
  }
  return found;
}

export function toolsIn(values: JsonObject): readonly JsonObject[] {
  const tools = valueAt(values, 'llm_config.tools');
  return Array.isArray(tools) ? tools.filter(isFields) : [];
}

/** Returns an empty tool with the required fields of its type. */
export function newTool(type: ToolType): JsonObject {
  switch (type) {
    case 'function':
      return { type, name: '', description: '', parameters: { type: 'object', properties: {} } };
    case 'transferCall':
      return { type, destinations: [{ type: 'number', number: '' }] };
    case 'host':
      return { type, name: '' };
    case 'mcp':
      return { type, server: { url: '' } };
    default:
      return { type };
  }
}

export function nameOf(tool: JsonObject): string {
  const name = tool.name ?? valueAt(tool, 'function.name') ?? valueAt(tool, 'server.url');
  return typeof name === 'string' && name !== '' ? name : typeOf(tool);
}

/** Returns the label of a tool type. */
export function typeOf({ type }: JsonObject): string {
  const types: Readonly<Record<string, string>> = toolTexts.types;
  return types[String(type)] ?? String(type);
}

export function placeOf(tool: JsonObject): string {
  if (tool.runs === 'client') return toolTexts.runsInPage;
  const url = valueAt(tool, 'server.url') ?? tool.url;
  if (typeof url === 'string') return toolTexts.runsAt(url);
  return tool.type === 'function' ? toolTexts.runsAtWebhook : toolTexts.runsInService;
}

/** Returns true if the tool can run outside of a call. */
export function canBeTried({ type, runs }: JsonObject): boolean {
  return (type === 'function' && runs !== 'client') || type === 'host' || type === 'mcp';
}

/** Returns an example value for each argument of a function. */
export function exampleArguments(tool: JsonObject): JsonObject {
  const properties = valueAt(tool, 'parameters.properties') ?? valueAt(tool, 'function.parameters.properties');
  const args = Object.entries(isFields(properties) ? properties : {}).map(([name, each]) => [name, exampleOf(each)]);
  return Object.fromEntries(args);
}

/** Returns an example of the request body that a function's server receives. */
export function requestOf(tool: JsonObject): string {
  const call = {
    id: 'call_1',
    type: 'function',
    function: { name: nameOf(tool), arguments: exampleArguments(tool) },
  };
  return JSON.stringify({ message: { type: 'tool-calls', toolCallList: [call] } }, null, 2);
}

function exampleOf(schema: unknown): unknown {
  if (!isFields(schema)) return null;
  if (Array.isArray(schema.enum)) return schema.enum[0] ?? null;
  switch (schema.type) {
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return true;
    case 'array':
      return [];
    case 'object':
      return {};
    default:
      return '…';
  }
}
