import { VirtualClock } from '@va/testkit';
import { expect, it } from 'vitest';
import { type BatchedVadStream, VadBatcher } from '../../src/vad/vad-batcher.ts';
import type { VoiceActivityDetector } from '../../src/vad/voice-activity.ts';

/**
 * A detector that returns the first sample of a window as its probability, and throws when it is negative. Windows have
 * four samples.
 */
function firstSample(): VoiceActivityDetector & { readonly batches: number[] } {
  const judgeOne = (window: Int16Array): number => {
    const [first = 0] = window;
    if (first < 0) throw new Error('cannot judge this');
    return first;
  };
  const batches: number[] = [];
  return {
    batches,
    windowSamples: 4,
    createStream: () => ({ probability: judgeOne }),
    judge(streams, windows, into) {
      batches.push(streams.length);
      into.set(windows.map(judgeOne));
    },
  };
}

/** Creates a clock whose event-loop turns the test ends. */
function turns() {
  const waiting: (() => void)[] = [];
  const clock = Object.assign(new VirtualClock(), { afterInput: (run: () => void) => void waiting.push(run) });
  return { clock, endTurn: () => waiting.splice(0).forEach((run) => void run()), waiting };
}

function listen(judge: VadBatcher): { stream: BatchedVadStream; told: (number | string)[]; atMs: number[] } {
  const told: (number | string)[] = [];
  const atMs: number[] = [];
  const stream = judge.open({
    judged(probability, heardAtMs) {
      told.push(probability);
      atMs.push(heardAtMs);
    },
    failed: ({ message }) => told.push(message),
  });
  return { stream, told, atMs };
}

const window = (first: number): Int16Array => Int16Array.of(first, 0, 0, 0);

it('VadBatcher judges windows at once when the clock has no afterInput() or the detector no batches', () => {
  const detector = firstSample();
  const inVirtualTime = listen(new VadBatcher(detector, new VirtualClock()));
  inVirtualTime.stream.push(window(1), 0);
  const { judge: _, ...single } = detector;
  const alone = listen(new VadBatcher(single, turns().clock));
  alone.stream.push(window(2), 0);
  expect([inVirtualTime.told, alone.told, detector.batches]).toEqual([[1], [2], []]);
});

it('VadBatcher judges the windows of one event-loop turn in batches, and passes on the time of each', () => {
  const detector = firstSample();
  const { clock, endTurn, waiting } = turns();
  let pauses = 0;
  const judge = new VadBatcher(detector, clock, () => {
    pauses += 1;
  });
  const calls = Array.from({ length: 40 }, () => listen(judge));
  calls.forEach(({ stream }, call) => void stream.push(window(call), 1_000 + call));
  expect(waiting).toHaveLength(1);
  expect(calls.flatMap(({ told }) => told)).toEqual([]);
  endTurn();
  expect(calls.map(({ told }) => told)).toEqual(calls.map((_, call) => [call]));
  expect(calls.map(({ atMs }) => atMs)).toEqual(calls.map((_, call) => [1_000 + call]));
  endTurn();
  expect(detector.batches).toEqual([16, 16, 8]);
  expect(pauses).toBe(3);
});

it('VadBatcher judges each window unchanged when its call fills another one before the batch runs', () => {
  const detector = firstSample();
  const { clock, endTurn } = turns();
  let isFirst = true;
  const judge: VadBatcher = new VadBatcher(detector, clock, () => {
    if (!isFirst) return;
    isFirst = false;
    last?.stream.push(window(100), 2);
  });
  const calls = Array.from({ length: 40 }, () => listen(judge));
  const last = calls.at(-1);
  calls.forEach(({ stream }, call) => void stream.push(window(call), 1));
  endTurn();
  endTurn();
  expect(calls.map(({ told }) => told)).toEqual([...calls.slice(0, -1).map((_, call) => [call]), [39, 100]]);
});

it('VadBatcher keeps the order of a call whose frames arrive in a burst', () => {
  const detector = firstSample();
  const { clock, endTurn } = turns();
  const judge = new VadBatcher(detector, clock);
  const [burst, other] = [listen(judge), listen(judge)];
  other.stream.push(window(9), 0);
  for (const first of [1, 2, 3]) burst.stream.push(window(first), first);
  endTurn();
  expect([burst.told, burst.atMs, other.told]).toEqual([[1, 2, 3], [1, 2, 3], [9]]);
  expect(detector.batches).toEqual([2, 1, 1]);
});

it('VadBatcher fills the next window while one is pending', () => {
  const { clock, endTurn } = turns();
  const { stream, told } = listen(new VadBatcher(firstSample(), clock));
  stream.push(Int16Array.of(5, 0, 0, 0, 6, 0), 0);
  endTurn();
  stream.push(Int16Array.of(0, 0), 20);
  endTurn();
  expect(told).toEqual([5, 6]);
});

it('VadBatcher fails only the call whose window cannot be judged', () => {
  const { clock, endTurn } = turns();
  const judge = new VadBatcher(firstSample(), clock);
  const calls = [1, -1, 3].map((first) => ({ first, ...listen(judge) }));
  for (const { stream, first } of calls) stream.push(window(first), 0);
  endTurn();
  expect(calls.map(({ told }) => told)).toEqual([[1], ['cannot judge this'], [3]]);
  for (const { stream } of calls) stream.push(window(4), 20);
  endTurn();
  expect(calls.map(({ told }) => told.at(-1))).toEqual([4, 4, 4]);
});

it('VadBatcher fails only the call whose listener throws', () => {
  const { clock, endTurn } = turns();
  const judge = new VadBatcher(firstSample(), clock);
  const failures: string[] = [];
  const throwing = judge.open({
    judged() {
      throw new Error('from a listener');
    },
    failed: ({ message }) => failures.push(message),
  });
  const other = listen(judge);
  throwing.push(window(1), 0);
  other.stream.push(window(2), 0);
  endTurn();
  expect([failures, other.told]).toEqual([['from a listener'], [2]]);
});

it('VadBatcher reports nothing to a closed call, even when another call of the batch closed it', () => {
  const { clock, endTurn } = turns();
  const judge = new VadBatcher(firstSample(), clock);
  const ended = listen(judge);
  const ending = judge.open({ judged: () => ended.stream.close(), failed() {} });
  ending.push(window(1), 0);
  ended.stream.push(window(2), 0);
  endTurn();
  expect(ended.told).toEqual([]);
});
