import { seeded } from '@va/test-servers/audio';
import { describe, expect, it } from 'vitest';
import { RecordingAligner } from '../../src/recording/recording-aligner.ts';

const silence = new Uint8Array(160).fill(0xff);
const seconds = 300;
const clickEveryMs = 5_000;

/** The remote side: when its frames are made and delivered, and which are lost. */
interface Peer {
  /** Clock deviation: 200 means 0.2 ms per second too fast. */
  readonly ppm?: number;
  /** Returns when a frame made at a time arrives. */
  readonly arrives?: (madeAtMs: number, n: number) => number;
  /** Lost frames are concealed when the third later frame has arrived, at most ten in a row. */
  readonly isLost?: (madeAtMs: number, n: number) => boolean;
  /** True if silence suppression omits the frame. */
  readonly isSilent?: (madeAtMs: number) => boolean;
  /** Returns when the 20 ms clock of the service runs a tick that is due at a time. */
  readonly wakes?: (dueAtMs: number) => number;
  /** Frames that arrive together with the first one. */
  readonly atStart?: number;
}

type Event = { readonly atMs: number; readonly run: () => void };

function arrivals(peer: Peer, isAnswer: (fromMs: number, toMs: number) => boolean): (Event & { loud: boolean })[] {
  const { ppm = 0, arrives = (ms) => ms, isLost = () => false, isSilent = () => false, atStart = 0 } = peer;
  const periodMs = 20 / (1 + ppm / 1e6);
  const events: (Event & { loud: boolean })[] = [];
  const put = (atMs: number, loud: boolean): void => void events.push({ atMs, loud, run: () => {} });
  for (let i = 0; i < atStart; i++) put(7, false);
  let missing = 0;
  let held: boolean[] = [];
  let last = 0;
  for (let n = 0; 7 + n * periodMs < seconds * 1_000; n++) {
    const madeAtMs = 7 + n * periodMs;
    const loud = isAnswer(madeAtMs - periodMs, madeAtMs);
    if (isSilent(madeAtMs) && !loud) continue;
    if (isLost(madeAtMs, n)) {
      missing += 1;
      continue;
    }
    // Frames arrive in order.
    last = Math.max(last, arrives(madeAtMs, n));
    if (missing === 0) put(last, loud);
    else {
      held.push(loud);
      if (held.length < 3) continue;
      for (let i = 0; i < Math.min(10, missing); i++) put(last, false);
      for (const each of held) put(last, each);
      missing = 0;
      held = [];
    }
  }
  return events;
}

/** Returns the delay in ms of the caller's answer after the agent's click in the recording, for each click. */
function offsets(peer: Peer): number[] {
  const [caller, agent]: [number[], number[]] = [[], []];
  let written = 0;
  const recording = {
    write(left: Uint8Array, right: Uint8Array) {
      if (left[0] === 0x10) caller.push(written);
      if (right[0] === 0x10) agent.push(written);
      written += 1;
    },
  };
  const aligner = new RecordingAligner(recording, silence, 0);
  const click = new Uint8Array(160).fill(0x10);
  const { wakes = (ms) => ms } = peer;
  const clicks: number[] = [];
  const events: Event[] = [];
  for (let frame = 0; frame < seconds * 50; frame++) {
    const dueAtMs = 12 + frame * 20;
    const atMs = wakes(dueAtMs);
    // The ticker catches up on ten ticks and skips older ones.
    if (atMs - dueAtMs >= 200) continue;
    const isClick = dueAtMs % clickEveryMs < 20;
    if (isClick) clicks.push(atMs);
    events.push({ atMs, run: () => aligner.send(isClick ? click : silence, atMs) });
  }
  const isAnswer = (fromMs: number, toMs: number): boolean => clicks.some((ms) => ms > fromMs && ms <= toMs);
  for (const { atMs, loud } of arrivals(peer, isAnswer)) {
    // Frames waiting in the socket are read when the service runs again.
    const readAtMs = Math.max(atMs, wakes(atMs));
    events.push({ atMs: readAtMs, run: () => aligner.receive(loud ? click : silence, readAtMs) });
  }
  events.sort((a, b) => a.atMs - b.atMs);
  for (const { run } of events) run();
  aligner.flush();
  expect(written).toBe(seconds * 50);
  expect(agent).toHaveLength(clicks.length);
  return agent.flatMap((at) => {
    const answer = caller.find((each) => each >= at - 2 && each < at + 100);
    return answer === undefined ? [] : [(answer - at) * 20];
  });
}

const stallFrom = (fromMs: number, ms: number) => (atMs: number) =>
  atMs >= fromMs && atMs < fromMs + ms ? fromMs + ms : atMs;

describe('a recording of five minutes', () => {
  const random = seeded(3);
  const jitters = Array.from({ length: 40_000 }, () => random());
  const jitter = (ms: number) => (madeAtMs: number, n: number) => madeAtMs + (jitters[n] ?? 0) * ms;

  it.each<[string, Peer]>([
    ['a clean line', {}],
    ['a clock 200 ppm slow', { ppm: -200 }],
    ['a clock 200 ppm fast', { ppm: 200 }],
    ['a clock 2,000 ppm fast', { ppm: 2_000 }],
    ['a clock 2,000 ppm slow', { ppm: -2_000 }],
    ['a stall of 150 ms of the far end', { arrives: stallFrom(31_000, 150) }],
    ['a stall of 500 ms of the far end', { arrives: stallFrom(31_000, 500) }],
    ['a stall of 150 ms of the service', { wakes: stallFrom(31_000, 150) }],
    ['a stall of 500 ms of the service', { wakes: stallFrom(31_000, 500) }],
    ['stalls of 500 ms each 5 s', { arrives: (ms) => stallFrom(Math.floor(ms / 5_000) * 5_000 + 2_000, 500)(ms) }],
    ['500 ms lost', { isLost: (ms) => ms >= 31_000 && ms < 31_500 }],
    ['loss of 5 %', { isLost: (_, n) => (jitters[n] ?? 0) < 0.05 }],
    ['jitter of 15 ms', { arrives: jitter(15) }],
    ['silence suppression', { isSilent: (ms) => ms % 3_000 > 1_000 }],
    ['fifteen frames at once at the start', { atStart: 15 }],
    ['a fast clock, jitter and loss', { ppm: 200, arrives: jitter(15), isLost: (_, n) => (jitters[n] ?? 0) > 0.98 }],
  ])('keeps both sides within 40 ms: %s', (_, peer) => {
    const found = offsets(peer);
    expect(found.length).toBeGreaterThan(45);
    expect(Math.min(...found)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...found)).toBeLessThanOrEqual(40);
  });

  it('keeps both sides within the delay of the packets, with jitter of 80 ms', () => {
    const found = offsets({ arrives: jitter(80) });
    expect(Math.max(...found)).toBeLessThanOrEqual(120);
    expect(Math.min(...found)).toBeGreaterThanOrEqual(0);
  });
});

describe('a recording with a stall', () => {
  it('places frames delayed by 150 ms correctly, without a gap', () => {
    const lines: number[] = [];
    const recording = { write: (caller: Uint8Array) => void lines.push(caller[0] ?? -1) };
    const aligner = new RecordingAligner(recording, silence, 0);
    let next = 1;
    for (let frame = 0; frame < 50; frame++) {
      const isStalled = frame >= 20 && frame < 27;
      if (!isStalled) while (next <= frame + 1) aligner.receive(new Uint8Array(160).fill(next++), frame * 20 + 5);
      aligner.send(silence, frame * 20 + 10);
    }
    aligner.flush();
    expect(lines).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
  });
});

describe('a recording after the machine was suspended', () => {
  it('omits the time from both sides instead of writing hours of silence', () => {
    const written: [caller: number, agent: number][] = [];
    const recording = {
      write: (caller: Uint8Array, agent: Uint8Array) => void written.push([caller[0] ?? 0, agent[0] ?? 0]),
    };
    const aligner = new RecordingAligner(recording, silence, 0);
    const tick = (nowMs: number, code: number): void => {
      aligner.receive(new Uint8Array(160).fill(code), nowMs);
      aligner.send(new Uint8Array(160).fill(code), nowMs);
    };
    const dayMs = 24 * 3_600_000;
    for (let n = 0; n < 50; n++) tick(n * 20, 1);
    // The ticker catches up on the last ten missed ticks.
    for (let n = 0; n < 10; n++) aligner.send(silence, dayMs);
    for (let n = 0; n < 50; n++) tick(dayMs + n * 20, 2);
    aligner.flush();
    expect(written.length).toBeLessThan(400);
    const loud = written.map(([caller, agent], at) => ({ at, caller, agent })).filter(({ agent }) => agent === 2);
    const heard = written.map(([caller], at) => ({ at, caller })).filter(({ caller }) => caller === 2);
    expect(Math.abs((loud[0]?.at ?? 0) - (heard[0]?.at ?? 0))).toBeLessThanOrEqual(2);
  });
});
