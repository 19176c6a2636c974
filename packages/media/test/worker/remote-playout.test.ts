import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { legAudio } from '../../src/codec/leg-encoding.ts';
import { type CutOff, Playout, type PlayoutEvent } from '../../src/playout/playout.ts';
import { HeardMeter } from '../../src/worker/heard-meter.ts';
import { RemotePlayout } from '../../src/worker/remote-playout.ts';

/** A playout in a worker and its RemotePlayout. Commands and events arrive when `deliver` is called. */
class Pair {
  readonly events: PlayoutEvent[] = [];
  readonly remote: RemotePlayout;
  readonly #worker: Playout;
  #toWorker: (() => void)[] = [];
  #toMain: (() => void)[] = [];
  #workerGeneration = 0;

  constructor(encoding: 'pcmu' | 'pcm16' = 'pcmu') {
    const control = new HeardMeter();
    const meter = new HeardMeter(control.shared);
    this.remote = new RemotePlayout(encoding, control, (event) => this.events.push(event));
    this.#worker = new Playout(
      encoding,
      (event) => {
        const generation = this.#workerGeneration;
        this.#toMain.push(() => this.remote.onWorkerEvent(event, generation, 0));
      },
      (samples) => meter.claim(this.#workerGeneration, samples),
    );
  }

  open(utterance: number): void {
    this.remote.open(utterance);
    this.#toWorker.push(() => this.#worker.open(utterance));
  }

  play(utterance: number, bytes: number): void {
    if (!this.remote.take(utterance, bytes)) return;
    this.#toWorker.push(() => this.#worker.play(utterance, new Uint8Array(bytes)));
  }

  finish(utterance: number): void {
    this.remote.finish(utterance);
    this.#toWorker.push(() => this.#worker.finish(utterance));
  }

  clear(): CutOff[] {
    const { generation, cut } = this.remote.clear();
    this.#toWorker.push(() => {
      this.#workerGeneration = generation;
      this.#worker.clear();
    });
    return cut;
  }

  tick(): Uint8Array | null {
    return this.#worker.take();
  }

  /** Delivers the commands, then the events, or only one of them. */
  deliver(which: 'commands' | 'events' | 'both' = 'both'): void {
    if (which !== 'events') for (const run of this.#toWorker.splice(0)) run();
    if (which !== 'commands') for (const run of this.#toMain.splice(0)) run();
  }
}

describe('RemotePlayout', () => {
  it('reports what was played although its events are under way', () => {
    const pair = new Pair();
    pair.open(1);
    pair.play(1, 400);
    pair.finish(1);
    pair.open(2);
    pair.play(2, 1_600);
    pair.deliver();
    for (let n = 0; n < 5; n++) pair.tick();
    expect(pair.clear()).toEqual([
      { utterance: 1, playedMs: 50 },
      { utterance: 2, playedMs: 40 },
    ]);
    pair.deliver();
    expect(pair.events).toEqual([]);
  });

  it('does not count finished utterances again', () => {
    const pair = new Pair('pcm16');
    pair.open(1);
    pair.play(1, 1_280);
    pair.finish(1);
    pair.open(2);
    pair.play(2, 6_400);
    pair.deliver();
    for (let n = 0; n < 3; n++) pair.tick();
    pair.deliver();
    expect(pair.events).toEqual([
      { type: 'started', utterance: 1 },
      { type: 'finished', utterance: 1, playedMs: 40 },
      { type: 'started', utterance: 2 },
    ]);
    expect(pair.clear()).toEqual([{ utterance: 2, playedMs: 20 }]);
  });

  it('holds events back during a pause, and drops them if a clear ends it', () => {
    const pair = new Pair();
    pair.open(1);
    pair.play(1, 160);
    pair.finish(1);
    pair.deliver();
    pair.tick();
    pair.remote.pause();
    pair.deliver();
    expect(pair.events).toEqual([]);
    expect(pair.clear()).toEqual([{ utterance: 1, playedMs: 20 }]);
    pair.remote.resume();
    expect(pair.events).toEqual([]);
  });

  it('refuses audio of utterances that are finished, cleared or unknown', () => {
    const pair = new Pair();
    pair.open(1);
    pair.finish(1);
    expect([pair.remote.take(1, 160), pair.remote.take(2, 160)]).toEqual([false, false]);
    pair.open(3);
    pair.clear();
    expect(pair.remote.take(3, 160)).toBe(false);
  });

  it('accounts for every taken frame once, in any order of commands, ticks and deliveries', () => {
    const operation = fc.constantFrom(
      ...([
        'open',
        'play',
        'play',
        'play',
        'finish',
        'pause',
        'resume',
        'clear',
        'commands',
        'events',
        'both',
      ] as const),
      ...(['tick', 'tick', 'tick', 'tick'] as const),
    );
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 80 }), (operations) => {
        const pair = new Pair();
        let [opened, playedMs, accountedMs] = [0, 0, 0];
        for (const each of operations) {
          if (each === 'open') pair.open(++opened);
          else if (each === 'play') pair.play(opened, legAudio.pcmu.frameBytes * 2);
          else if (each === 'finish') pair.finish(opened);
          else if (each === 'pause') pair.remote.pause();
          else if (each === 'resume') pair.remote.resume();
          else if (each === 'clear') for (const cut of pair.clear()) accountedMs += cut.playedMs;
          else if (each === 'tick') playedMs += pair.tick() === null ? 0 : 20;
          else pair.deliver(each);
        }
        for (const cut of pair.clear()) accountedMs += cut.playedMs;
        for (const event of pair.events) if (event.type === 'finished') accountedMs += event.playedMs;
        expect(accountedMs).toBe(playedMs);
      }),
      { numRuns: 100 },
    );
  });
});
