import { defineTool, type HostTool, type NewAgent, toolSchema } from '@va/core';
import type { Clock, ToolServers } from '@va/core/adapter';
import { z } from 'zod';
import type { OutsideWork } from './outside-work.ts';
import { InvalidSimulation, type ToolHandler, waiting } from './tool-handlers.ts';

/**
 * Returns the host tools that an agent names. Those with a handler run it; the others run as given. Time passes in real
 * time meanwhile.
 * @throws InvalidSimulation when a named tool has neither a handler nor an implementation
 */
export function simulatedHostTools(
  { llm_config: llmConfig }: NewAgent,
  parts: {
    readonly handlers: Readonly<Record<string, ToolHandler>>;
    readonly tools: readonly HostTool[];
    readonly clock: Clock;
    readonly work: OutsideWork;
  },
): HostTool[] {
  const { handlers, tools, clock, work } = parts;
  const names = (llmConfig?.tools ?? []).flatMap((written) => {
    const { data: tool } = toolSchema.safeParse(written);
    return tool?.type === 'host' ? [tool.name] : [];
  });
  return names.map((name) => {
    const handler = handlers[name];
    const known = tools.find((tool) => tool.name === name);
    if (handler === undefined && known === undefined) {
      throw new InvalidSimulation(
        'missing_tool_handler',
        `Nothing runs the host tool ${name} of the agent. Give it in \`hostTools\`, or a handler in \`tools\`.`,
      );
    }
    const tool = known ?? defineTool({ name, description: '', parameters: z.looseObject({}), execute: () => null });
    return {
      ...tool,
      execute: (args, context) =>
        handler === undefined
          ? work.during(Promise.resolve(tool.execute(args, context)))
          : work.during(
              Promise.resolve(
                handler(args as Record<string, unknown>, { callId: context.toolCallId, wait: waiting(clock, work) }),
              ),
            ),
    };
  });
}

/** Wraps a client of MCP servers, so that time passes in real time during its requests. */
export function watchedToolServers(servers: ToolServers, work: OutsideWork): ToolServers {
  return {
    start: (host) => servers.start(host),
    close: () => servers.close(),
    open: (options) => {
      const session = servers.open(options);
      return {
        list: (limits) => work.during(session.list(limits)),
        call: (request) => work.during(session.call(request)),
        close: () => session.close(),
      };
    },
  };
}
