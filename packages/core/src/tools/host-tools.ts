import { toError, VaError } from '../errors.ts';
import type { Logger } from '../ports/logger.ts';
import type { HostTool } from './define-tool.ts';

/** The tools of the host's process, by name. */
export class HostTools {
  readonly #tools: ReadonlyMap<string, HostTool>;
  readonly #logger: Logger;

  /** @throws VaError `duplicate_tool` */
  constructor(tools: readonly HostTool[], logger: Logger) {
    const byName = new Map<string, HostTool>();
    for (const tool of tools) {
      if (byName.has(tool.name)) throw new VaError('duplicate_tool', `There are two tools named ${tool.name}.`);
      byName.set(tool.name, tool);
    }
    this.#tools = byName;
    this.#logger = logger;
  }

  /** Returns a tool by its name; null if there is no such tool, or the organization may not use it. */
  async find(orgId: string, name: string): Promise<HostTool | null> {
    const tool = this.#tools.get(name);
    return tool !== undefined && (await this.#allows(tool, orgId)) ? tool : null;
  }

  /** Calls the `allow` hook of a tool. A hook that fails allows nothing. */
  async #allows(tool: HostTool, orgId: string): Promise<boolean> {
    try {
      return await tool.allow({ id: orgId });
    } catch (thrown) {
      this.#logger.error({ err: toError(thrown), tool: tool.name, orgId }, 'the allow hook of a tool failed');
      return false;
    }
  }
}
