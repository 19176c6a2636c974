import type { ConversationNotice } from '@va/core';
import { VirtualClock } from '@va/testkit';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Printer } from '../../src/demo/printer.ts';

const printed: string[] = [];
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  printed.length = 0;
});

function create(): { clock: VirtualClock; printer: Printer } {
  vi.stubEnv('NO_COLOR', '1');
  vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line));
  const clock = new VirtualClock();
  return { clock, printer: new Printer(clock) };
}
const turn = { total_ms: 812.4, endpointing_ms: 300.2 };

describe('the printed events of a call', () => {
  it('have the time since the start', async () => {
    const { clock, printer } = create();
    await clock.advance(12_340);
    printer.line('caller', 'Hello');
    expect(printed).toEqual([' 12.3s  caller    Hello']);
  });

  it.each<[object, string[]]>([
    [{ type: 'user-turn', text: 'A table.' }, ['caller    “A table.”']],
    [{ type: 'agent-speaking', text: 'Sure.' }, ['agent     “Sure.”']],
    [{ type: 'interrupted' }, ['barge-in  the caller interrupts, the agent stops']],
    [{ type: 'agent-spoke', interrupted: false, heard: 'Sure.' }, []],
    [
      { type: 'agent-spoke', interrupted: true, heard: 'Su' },
      ['heard     only “Su” — the model gets only these words'],
    ],
    [{ type: 'tool-call', call: { name: 'find', arguments: '{"a":1}' } }, ['tool      find({"a":1})']],
    [
      { type: 'latency', turn },
      [
        'latency   812 ms from the end of speech to the first audio ' +
          '(300 ms to be sure that the turn is over, 512 ms for the reply)',
      ],
    ],
    [{ type: 'of-a-later-version' }, []],
  ])('are for %j: %j', (notice, lines) => {
    const { printer } = create();
    printer.notice(notice as unknown as ConversationNotice);
    expect(printed).toEqual(lines.map((line) => `  0.0s  ${line}`));
  });
});

describe('a printed webhook', () => {
  const signature = 'v1,0123456789abcdef0123';

  it('names the status of the call, and the first characters of the signature', () => {
    const { printer } = create();
    const message = { type: 'status-update', call: { status: 'ended' } };
    printer.webhook({ message, answer: null, signature } as unknown as Parameters<Printer['webhook']>[0]);
    expect(printed).toEqual(['  0.0s  customer  status-update ended, signature verified (v1,0123456789abc…)']);
  });

  it('has the calls and the results of tools', () => {
    const { printer } = create();
    const message = { type: 'tool-calls', toolCallList: [{ id: '1' }] };
    const received = { message, answer: { results: [] }, signature };
    printer.webhook(received as unknown as Parameters<Printer['webhook']>[0]);
    expect(printed.slice(1).map((line) => line.trim())).toEqual([
      expect.stringMatching(/← \[{"id":"1"}\]$/),
      expect.stringMatching(/→ {"results":\[\]}$/),
    ]);
  });
});
