import type { Agent } from './agent.ts';
import type { Tool } from './tool.ts';

type Tools = NonNullable<Agent['llm_config']>['tools'];

/** Returns the tools without their secrets, which are write-only. */
export function withoutSecrets(tools: Tools): Tools {
  return tools.map((tool) => (hasServer(tool) ? { ...tool, server: { url: tool.server.url } } : tool));
}

/** Returns the written tools; a tool without a secret keeps the stored one of the same tool with the same URL. */
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
