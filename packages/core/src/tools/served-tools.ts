import type { McpTool } from '../domain/agents/tools/tool.ts';
import type { ServedTool } from '../ports/tool-servers.ts';

/** A server's tool, with the name under which the model calls it. */
export interface NamedServedTool {
  readonly name: string;
  readonly served: ServedTool;
}

const maxNameLength = 64;

/** Returns the tools of a server that an agent gets, under names that every model accepts. */
export function servedToolsOf(
  served: readonly ServedTool[],
  { allow, prefix = '' }: Pick<McpTool, 'allow' | 'prefix'>,
): readonly NamedServedTool[] {
  const wanted = allow === undefined ? served : served.filter(({ name }) => allow.includes(name));
  return wanted.map((tool) => ({
    name: `${prefix}${tool.name.replace(/[^A-Za-z0-9_-]/g, '_')}`.slice(0, maxNameLength),
    served: tool,
  }));
}
