import { silentLogger } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Logger } from '../../src/ports/logger.ts';
import { defineTool, type ToolDefinition } from '../../src/tools/define-tool.ts';
import { HostTools } from '../../src/tools/host-tools.ts';

type Allow = NonNullable<ToolDefinition<z.ZodType>['allow']>;

function tool(name: string, allow?: Allow) {
  const base = { name, description: 'Looks up.', parameters: z.object({}), execute: () => null };
  return defineTool(allow === undefined ? base : { ...base, allow });
}

describe('HostTools', () => {
  it('finds a tool by its name', async () => {
    const lookup = tool('lookup');
    const tools = new HostTools([tool('book'), lookup], silentLogger);
    expect(await tools.find('org', 'lookup')).toBe(lookup);
    expect(await tools.find('org', 'Lookup')).toBeNull();
  });

  it('refuses two tools of the same name', () => {
    const create = (): HostTools => new HostTools([tool('lookup'), tool('lookup')], silentLogger);
    expect(create).toThrow(expect.objectContaining({ code: 'duplicate_tool' }));
  });

  it.each<[string, Allow]>([
    ['synchronous', ({ id }) => id === 'org'],
    ['asynchronous', async ({ id }) => id === 'org'],
  ])('finds a tool only for organizations that its %s hook allows', async (_kind, allow) => {
    const lookup = tool('lookup', allow);
    const tools = new HostTools([lookup], silentLogger);
    expect(await tools.find('org', 'lookup')).toBe(lookup);
    expect(await tools.find('other', 'lookup')).toBeNull();
  });

  it.each<[string, Allow]>([
    [
      'throws',
      () => {
        throw new Error('no database');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no database'))],
  ])('allows nothing and logs the error when the hook %s', async (_how, allow) => {
    const logged: unknown[] = [];
    const logger: Logger = { ...silentLogger, error: (fields) => void logged.push(fields) };
    const tools = new HostTools([tool('lookup', allow)], logger);
    expect(await tools.find('org', 'lookup')).toBeNull();
    expect(logged).toEqual([{ err: new Error('no database'), tool: 'lookup', orgId: 'org' }]);
  });
});
