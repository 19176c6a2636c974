import type { Agent } from './agent.ts';
import type { Tool } from './tool.ts';

type Tools = NonNullable<Agent['llm_config']>['tools'];

/** The tools as they may be shown: a secret is written, and never read. */
export function withoutSecrets(tools: Tools): Tools {
  return tools.map((tool) => (hasServer(tool) ? { ...tool, server: { url: tool.server.url } } : tool));
}

/** The written tools, where one that names no secret keeps the one that the same tool has for the same URL. */
export function withKnownSecrets(written: Tools, before: Tools): Tools {
  return written.map((tool) => {
    if (!hasServer(tool) || tool.server.secret !== undefined) return tool;
    const known = before.find(
      (each) => hasServer(each) && each.name === tool.name && each.server.url === tool.server.url,
    );
    return known !== undefined && hasServer(known) ? { ...tool, server: known.server } : tool;
  });
}

type ToolWithServer = Extract<Tool, { type: 'function' }> & {
  server: NonNullable<Extract<Tool, { type: 'function' }>['server']>;
};

function hasServer(tool: Tool): tool is ToolWithServer {
  return tool.type === 'function' && tool.server !== undefined;
}
