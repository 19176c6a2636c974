import { silentLogger, VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import type { ConversationRunner, EventInput } from '../../../src/conversation/runner/runner.ts';
import { RunningTools, type RunTool, type ToolRun } from '../../../src/conversation/runner/running-tools.ts';
import type { ExternalTool } from '../../../src/conversation/state/tools/call-tool.ts';
import type { ToolOutcome } from '../../../src/domain/calls/tool-outcome.ts';
import { untyped } from '../../support/untyped.ts';

const lookup: ExternalTool = {
  type: 'host',
  name: 'lookup',
  description: '',
  parameters: {},
  async: false,
  timeoutMs: 2_000,
  cancelOnInterruption: true,
};

interface Running extends ToolRun {
  readonly args: Record<string, unknown>;
  end(outcome: ToolOutcome): void;
  fail(error: Error): void;
}

/** Tools of a conversation, whose runs the test ends. */
function conversation() {
  const clock = new VirtualClock();
  const over = new AbortController();
  const dispatched: EventInput[] = [];
  const warnings: string[] = [];
  const runs: Running[] = [];
  const runner: ConversationRunner = untyped({ dispatch: (event: EventInput) => void dispatched.push(event) });
  const runTool: RunTool = (_call, _tool, args, run) =>
    new Promise((resolve, reject) => {
      runs.push({ ...run, args, end: resolve, fail: reject });
    });
  const logger = { ...silentLogger, warn: (_fields: object, message: string) => void warnings.push(message) };
  const tools = new RunningTools({ runner, runTool, clock, logger, signal: over.signal });
  const run = (tool = lookup, id = 'call-1'): Running => {
    const call = { id, name: tool.name, arguments: '{"day":"friday"}' };
    tools.run({ type: 'run-tool', call, tool, arguments: { day: 'friday' } });
    const running = runs.at(-1);
    if (running === undefined) throw new Error('the tool did not run');
    return running;
  };
  return { clock, tools, run, runs, dispatched, warnings, endCall: () => over.abort() };
}

const found: ToolOutcome = { ok: true, result: 'found' };
const settled = (outcome: ToolOutcome, callId = 'call-1') => ({ type: 'tool-settled', callId, outcome });

describe('RunningTools', () => {
  it('runs a tool with its arguments, and dispatches its outcome once', async () => {
    const { clock, run, dispatched } = conversation();
    const running = run();
    expect(running.args).toEqual({ day: 'friday' });
    running.end(found);
    await clock.advance(60_000);
    expect(dispatched).toEqual([settled(found)]);
    expect(clock.pending).toBe(0);
  });

  it('takes a rejection as a failure of the tool', async () => {
    const { clock, run, dispatched, warnings } = conversation();
    run().fail(new Error('no database'));
    await clock.advance(0);
    expect(dispatched).toEqual([settled({ ok: false, error: 'no database' })]);
    expect(warnings).toEqual(['running a tool failed']);
  });

  it('gives a tool 5 s more than its own limit, and then stops it', async () => {
    const { clock, run, dispatched } = conversation();
    const running = run();
    await clock.advance(6_999);
    expect([dispatched, running.signal.aborted]).toEqual([[], false]);
    await clock.advance(1);
    expect(dispatched).toEqual([settled({ ok: false, error: 'timeout: no answer within 7 seconds' })]);
    expect(running.signal.aborted).toBe(true);
    running.end(found);
    await clock.advance(0);
    expect(dispatched).toHaveLength(1);
  });

  it('cancels a tool, and ignores its late outcome', async () => {
    const { clock, tools, run, dispatched } = conversation();
    const running = run();
    tools.cancel('call-1');
    running.end(found);
    await clock.advance(0);
    expect([dispatched, running.signal.aborted]).toEqual([[settled({ ok: false, error: 'cancelled' })], true]);
  });

  it('cancels no other tool, and nothing after the outcome', async () => {
    const { clock, tools, run, dispatched } = conversation();
    const [one, two] = [run(), run(lookup, 'call-2')];
    tools.cancel('call-2');
    one.end(found);
    await clock.advance(0);
    tools.cancel('call-1');
    tools.cancel('unknown');
    expect([one.signal.aborted, two.signal.aborted]).toEqual([false, true]);
    expect(dispatched).toHaveLength(2);
  });
});

describe('a tool that speaks', () => {
  it('is heard while it runs, and not afterwards', async () => {
    const { clock, run, dispatched } = conversation();
    const running = run();
    running.say('I am looking.');
    running.end(found);
    await clock.advance(0);
    running.say('Old news.');
    expect(dispatched).toEqual([{ type: 'tool-says', text: 'I am looking.' }, settled(found)]);
  });
});

describe('the end of the call', () => {
  it('aborts running tools, and dispatches no outcome', async () => {
    const { clock, run, dispatched, warnings, endCall } = conversation();
    const running = run();
    endCall();
    expect(running.signal.aborted).toBe(true);
    running.fail(new Error('aborted'));
    running.say('Too late.');
    await clock.advance(60_000);
    expect([dispatched, warnings, clock.pending]).toEqual([[], [], 0]);
  });

  it('does not abort an async tool', () => {
    const { run, endCall } = conversation();
    const running = run({ ...lookup, async: true });
    endCall();
    expect(running.signal.aborted).toBe(false);
  });

  it('prevents the start of further tools', () => {
    const { run, runs, endCall } = conversation();
    endCall();
    expect(() => run()).toThrow('the tool did not run');
    expect(runs).toEqual([]);
  });
});
