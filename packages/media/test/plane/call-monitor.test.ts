import { describe, expect, it } from 'vitest';
import { CallMonitor } from '../../src/plane/call-monitor.ts';

function monitored(): { monitor: CallMonitor; pairs: [number, number][] } {
  const pairs: [number, number][] = [];
  const listener = {
    write: (caller: Uint8Array, agent: Uint8Array) => void pairs.push([caller[0] ?? -1, agent[0] ?? -1]),
  };
  return { monitor: new CallMonitor(listener, Uint8Array.of(255)), pairs };
}

describe('the monitor of a call', () => {
  it('pairs each sent frame with the next one of the caller, or silence', () => {
    const { monitor, pairs } = monitored();
    monitor.send(Uint8Array.of(101));
    monitor.receive(Uint8Array.of(1));
    monitor.receive(Uint8Array.of(2));
    for (const agent of [102, 103, 104]) monitor.send(Uint8Array.of(agent));
    expect(pairs).toEqual([
      [255, 101],
      [1, 102],
      [2, 103],
      [255, 104],
    ]);
  });

  it('keeps the latest four frames of a burst', () => {
    const { monitor, pairs } = monitored();
    for (let caller = 1; caller <= 11; caller++) monitor.receive(Uint8Array.of(caller));
    for (let agent = 1; agent <= 5; agent++) monitor.send(Uint8Array.of(agent));
    expect(pairs.map(([caller]) => caller)).toEqual([8, 9, 10, 11, 255]);
  });

  it('copies frames, whose buffers are reused', () => {
    const { monitor, pairs } = monitored();
    const buffer = Uint8Array.of(1);
    monitor.receive(buffer);
    buffer[0] = 9;
    monitor.send(Uint8Array.of(7));
    expect(pairs).toEqual([[1, 7]]);
  });
});
