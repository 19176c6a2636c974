import type { Agent } from '../agent.ts';
import type { Tool } from './tool.ts';

type Tools = NonNullable<Agent['llm_config']>['tools'];

/** Server of a tool, with its write-only secrets: `secret` for webhook tools, `headers` for MCP servers. */
interface Server {
  readonly url?: unknown;
  readonly secret?: unknown;
  readonly headers?: unknown;
}

/** Returns a tool, or the configuration of a template, without the secrets of its server, which are write-only. */
export function withoutSecret<T extends object>(tool: T): T {
  const server = serverOf(tool);
  if (server === null) return tool;
  const { secret: _secret, headers: _headers, ...shown } = server;
  return { ...tool, server: shown };
}

/** Returns a written tool with the secrets of the stored one, if it is written without any for the same URL. */
export function withKnownSecret<T extends object>(written: T, before: object): T {
  const [server, known] = [serverOf(written), serverOf(before)];
  if (server === null || known === null || server.url === undefined || server.url !== known.url) return written;
  const { secret, headers } = known;
  return {
    ...written,
    server: {
      ...server,
      ...(secret !== undefined && server.secret === undefined && { secret }),
      ...(headers !== undefined && server.headers === undefined && { headers }),
    },
  };
}

export function withoutSecrets(tools: Tools): Tools {
  return tools.map(withoutSecret);
}

/** Returns the written tools; a tool without a secret keeps the stored one of the same tool with the same URL. */
export function withKnownSecrets(written: Tools, before: Tools): Tools {
  return written.map((tool) => {
    const known = before.find((each) => isSame(each, tool));
    return known === undefined ? tool : withKnownSecret(tool, known);
  });
}

/**
 * Returns true if two tools of an agent are the same. MCP servers have no name of their own: the same URL with the same
 * prefix is the same server.
 */
function isSame(one: Tool, other: Tool): boolean {
  if (one.type !== other.type || serverOf(one)?.url !== serverOf(other)?.url) return false;
  if (one.type === 'mcp') return other.type === 'mcp' && one.prefix === other.prefix;
  return other.type !== 'mcp' && one.name === other.name;
}

function serverOf(tool: object): Server | null {
  if (!('server' in tool)) return null;
  const { server } = tool;
  return typeof server === 'object' && server !== null ? server : null;
}
