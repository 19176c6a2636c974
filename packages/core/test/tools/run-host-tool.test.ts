import { setTimeout as delay } from 'node:timers/promises';
import { type Call, defineTool, type HostTool, type ToolContext, ToolError } from '@va/core';
import { silentLogger, VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ToolOutcome } from '../../src/domain/calls/tool-outcome.ts';
import { runHostTool } from '../../src/tools/run-host-tool.ts';

const parameters = z.object({ people: z.number().int().max(8), at: z.string().optional() });

function toolThat(execute: (args: unknown, context: ToolContext) => unknown, timeoutMs = 1_000): HostTool {
  return defineTool({ name: 'find', description: '', parameters, execute, timeoutMs });
}

function run(tool: HostTool, args: Record<string, unknown> = { people: 2 }): Promise<ToolOutcome> {
  return runIn(new VirtualClock(), tool, new AbortController().signal, args);
}

function runIn(
  clock: VirtualClock,
  tool: HostTool,
  signal: AbortSignal,
  args: Record<string, unknown> = { people: 2 },
): Promise<ToolOutcome> {
  return runHostTool(tool, args, {
    // The tools of these tests read nothing of the call.
    call: { id: 'call' } as Call,
    organization: { id: 'org', name: 'Org' },
    variables: {},
    logger: silentLogger,
    signal,
    say: () => {},
    toolCallId: 'one',
    idempotencyKey: 'call:one',
    clock,
  });
}

describe('a tool of the host', () => {
  it('gets its arguments as the validator returns them', async () => {
    const outcome = await run(
      toolThat((args) => args),
      { people: 2, more: true },
    );
    expect(outcome).toEqual({ ok: true, result: { people: 2 } });
  });

  it('starts before the model’s next event when its validator needs no waiting', async () => {
    let started = false;
    const running = run(
      toolThat(() => {
        started = true;
      }),
    );
    expect(started).toBe(true);
    expect(await running).toEqual({ ok: true, result: null });
  });

  it('is not run with invalid arguments; the model learns which', async () => {
    let ran = false;
    const outcome = await run(
      toolThat(() => {
        ran = true;
      }),
      { people: 20, at: 5 },
    );
    expect(ran).toBe(false);
    expect(outcome).toMatchObject({ ok: false, error: expect.stringMatching(/^invalid arguments: people: .*; at: /) });
  });

  it.each([
    ['an error', new Error('secret')],
    ['a text', 'secret'],
    ['nothing', undefined],
  ])('hides %s that it throws', async (_what, thrown) => {
    const tool = toolThat(async () => {
      throw thrown;
    });
    expect(await run(tool)).toEqual({ ok: false, error: 'The tool failed.' });
  });

  it('returns the message of a ToolError', async () => {
    const tool = toolThat(() => {
      throw new ToolError('We are full.');
    });
    expect(await run(tool)).toEqual({ ok: false, error: 'We are full.' });
  });

  it.each([
    ['a circle', () => ({ ...globalThis, self: globalThis })],
    ['a number beyond JSON', () => 5n],
    ['more than 1 MiB', () => 'x'.repeat(1_048_576)],
  ])('fails when it returns %s', async (_what, execute) => {
    expect(await run(toolThat(execute))).toEqual({ ok: false, error: 'The tool failed.' });
  });

  it('is aborted at its timeout, and what it does then changes nothing', async () => {
    const clock = new VirtualClock();
    let reason: unknown = null;
    const tool = toolThat(async (_args, { signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      reason = signal.aborted;
      return 'late';
    });
    const running = runIn(clock, tool, new AbortController().signal);
    await clock.advance(1_000);
    expect(await running).toEqual({ ok: false, error: 'timeout: no answer within 1 seconds' });
    expect(reason).toBe(true);
    expect(clock.pending).toBe(0);
  });

  it('is aborted with its call, and leaves no timer', async () => {
    const clock = new VirtualClock();
    const end = new AbortController();
    const running = runIn(
      clock,
      toolThat(async (_args, { signal }) => await delay(60_000, null, { signal })),
      end.signal,
    );
    end.abort();
    expect(await running).toEqual({ ok: false, error: 'cancelled' });
    expect(clock.pending).toBe(0);
  });

  it('returns a copy: what it changes later does not reach the record of the call', async () => {
    const result = { table: 7 };
    const outcome = await run(toolThat(() => result));
    result.table = 8;
    expect(outcome).toEqual({ ok: true, result: { table: 7 } });
  });
});
