import { defineTool, type HostTool, type ToolContext, ToolError } from '@va/core';
import type { Clock } from '@va/core/adapter';
import { z } from 'zod';
import type { HostToolScript, Scenario } from './scenario.ts';

/** Creates the host's tools of a scenario. */
export function hostTools(
  { hostTools: scripts = {} }: Scenario,
  clock: Clock,
  onAbort: (name: string) => void,
): HostTool[] {
  return Object.entries(scripts).map(([name, script]) => {
    const { afterMs: _afterMs, returns: _returns, throws: _throws, says: _says, ...settings } = script;
    return defineTool({
      ...settings,
      name,
      description: '',
      parameters: z.looseObject({}),
      execute: (_args, context) => played(script, context, { clock, onAbort: () => onAbort(name) }),
    });
  });
}

async function played(
  { afterMs = 0, returns, throws, says = [] }: HostToolScript,
  { signal, say }: ToolContext,
  { clock, onAbort }: { readonly clock: Clock; readonly onAbort: () => void },
): Promise<unknown> {
  const saying = says.map(({ afterMs: delayMs, text }) => clock.setTimer(delayMs, () => say(text)));
  if (afterMs > 0) {
    await new Promise<void>((resolve, reject) => {
      const timer = clock.setTimer(afterMs, resolve);
      signal.addEventListener(
        'abort',
        () => {
          for (const each of [timer, ...saying]) each.cancel();
          onAbort();
          reject(new Error('aborted'));
        },
        { once: true },
      );
    });
  }
  if (throws !== undefined) throw throws.forModel ? new ToolError(throws.message) : new Error(throws.message);
  return returns;
}
