import { EventEmitter } from 'node:events';
import { silentLogger, VirtualClock } from '@va/testkit';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { MediaStatistics } from '../../src/plane/media-statistics.ts';
import { frameBytes, lostFrame, type MediaWorkerBatch } from '../../src/worker/messages.ts';
import { FrameWriter } from '../../src/worker/shared-frames.ts';

interface FakeThread extends EventEmitter {
  readonly posted: unknown[];
  readonly options: { readonly workerData: { readonly opus: boolean; readonly clockAtZeroMs: number } };
  isTerminated: boolean;
}

const threads: FakeThread[] = [];

class FakeWorker extends EventEmitter implements FakeThread {
  readonly posted: unknown[] = [];
  readonly options: FakeThread['options'];
  isTerminated = false;

  constructor(_file: URL, options: FakeThread['options']) {
    super();
    this.options = options;
    threads.push(this);
  }

  postMessage(message: unknown): void {
    this.posted.push(message);
  }

  async terminate(): Promise<number> {
    this.isTerminated = true;
    this.emit('exit', 1);
    return 1;
  }
}

/** A separate copy of the module, because other test files of this process use it with real threads. */
const copy = '../../src/worker/media-worker-handle.ts?with-fake-threads';
let MediaWorker: typeof import('../../src/worker/media-worker-handle.ts').MediaWorker;

beforeAll(async () => {
  vi.doMock('node:worker_threads', () => ({ Worker: FakeWorker }));
  ({ MediaWorker } = await import(copy));
  vi.doUnmock('node:worker_threads');
});

const statistics: MediaStatistics = {
  received: { packets: 5, packetsLost: 1, packetsDropped: 0, jitterMs: 2 },
  sent: { packets: 6, packetsLost: null, jitterMs: null },
  roundTripMs: null,
};

const batch = (changes: Partial<MediaWorkerBatch>): MediaWorkerBatch => ({
  audio: { count: 0 },
  events: [],
  log: [],
  ...changes,
});

/** Begins to start a worker, whose thread is not ready yet. */
function starting(opus = false) {
  const clock = new VirtualClock();
  const logged: string[] = [];
  const logger = {
    ...silentLogger,
    warn: (_fields: unknown, message?: string) => void logged.push(`warn ${message}`),
    error: (_fields: unknown, message?: string) => void logged.push(`error ${message}`),
  };
  const onLost = vi.fn();
  const start = MediaWorker.start({ clock, logger, opus, onLost });
  const thread = threads.at(-1);
  if (thread === undefined) throw new Error('No thread was started.');
  return { clock, logged, onLost, start, thread };
}

async function started() {
  const { start, ...rest } = starting();
  rest.thread.emit('message', 'ready');
  const worker = await start;
  /** Lets the thread send a batch. */
  const receive = (changes: Partial<MediaWorkerBatch>): void => void rest.thread.emit('message', batch(changes));
  /** Opens a leg on a port. */
  const open = async (leg: number, onClosed: () => void = () => {}) => {
    const opening = worker.open('127.0.0.1', 0, onClosed);
    receive({ events: [{ type: 'opened', leg, port: 4_000 + leg }] });
    return await opening;
  };
  return { ...rest, worker, receive, open };
}

describe('MediaWorker at its start', () => {
  it('waits until the thread is ready, and keeps no timer', async () => {
    const { clock, start, thread } = starting(true);
    const settled = vi.fn();
    void start.then(settled);
    await clock.advance(29_999);
    expect(settled).not.toHaveBeenCalled();
    thread.emit('message', 'ready');
    await start;
    expect(clock.pending).toBe(0);
    expect(thread.options.workerData).toMatchObject({ opus: true, clockAtZeroMs: expect.any(Number) });
  });

  it('fails with the error of the thread if that ends before it is ready', async () => {
    const { clock, start, thread } = starting();
    const refused = expect(start).rejects.toMatchObject({
      code: 'sip_media_worker',
      message: 'The media worker did not start: no such module.',
    });
    thread.emit('error', new Error('no such module'));
    thread.emit('exit', 1);
    await refused;
    expect(clock.pending).toBe(0);
  });

  it('fails if the thread is not ready within 30 s, and ends it', async () => {
    const { clock, start, thread } = starting();
    const refused = expect(start).rejects.toThrow('it was not ready in 30 s');
    await clock.advance(30_000);
    await refused;
    expect(thread.isTerminated).toBe(true);
  });
});

describe('MediaWorker', () => {
  it('opens legs, and counts them as its load', async () => {
    const { worker, thread, receive } = await started();
    const first = worker.open('127.0.0.1', 0, () => {});
    const second = worker.open('127.0.0.1', 5_000, () => {});
    expect(worker.load).toBe(2);
    await Promise.resolve();
    // The commands of one turn are posted together.
    expect(thread.posted).toEqual([
      [
        { type: 'open', leg: 1, address: '127.0.0.1', port: 0 },
        { type: 'open', leg: 2, address: '127.0.0.1', port: 5_000 },
      ],
    ]);
    receive({
      events: [
        { type: 'opened', leg: 1, port: 4_001 },
        { type: 'open-failed', leg: 2, message: 'in use', code: 'EADDRINUSE' },
      ],
    });
    expect((await first).port).toBe(4_001);
    await expect(second).rejects.toMatchObject({ message: 'in use', code: 'EADDRINUSE' });
    expect(worker.load).toBe(1);
  });

  it('passes frames on to their legs, lost ones as null', async () => {
    const { receive, open } = await started();
    const heard: (number | null)[][] = [[], []];
    for (const leg of [1, 2]) {
      (await open(leg)).onFrame((frame) => heard[leg - 1]?.push(frame?.[0] ?? null));
    }
    const writer = new FrameWriter(8, frameBytes);
    for (const value of [5, 6]) writer.write(1, new Uint8Array(frameBytes).fill(value));
    writer.write(lostFrame + 1);
    writer.write(2, new Uint8Array(frameBytes).fill(7));
    // A frame of a leg that has been closed meanwhile.
    writer.write(3, new Uint8Array(frameBytes));
    receive({ audio: writer.takeBatch() });
    expect(heard).toEqual([[5, 6, null], [7]]);
  });

  it('frees a leg when its port is closed', async () => {
    const { worker, thread, receive, open } = await started();
    const onClosed = vi.fn();
    const leg = await open(1, onClosed);
    leg.close();
    await Promise.resolve();
    expect(thread.posted.at(-1)).toEqual([{ type: 'close', leg: 1 }]);
    expect(onClosed).not.toHaveBeenCalled();
    receive({ events: [{ type: 'closed', leg: 1, statistics }] });
    expect(onClosed).toHaveBeenCalledTimes(1);
    expect([worker.load, await leg.statistics()]).toEqual([0, statistics]);
  });

  it('logs for the call of a leg, or for the service', async () => {
    const { logged, receive, open } = await started();
    const leg = await open(1);
    const ofCall: unknown[] = [];
    leg.logger = { ...silentLogger, warn: (_fields: unknown, message?: string) => void ofCall.push(message) };
    const line = (fields: Record<string, unknown>, message: string) => ({ level: 'warn' as const, fields, message });
    receive({ log: [line({ leg: 1 }, 'a'), line({ leg: 2 }, 'b'), line({}, 'c')] });
    expect([ofCall, logged]).toEqual([['a'], ['warn b', 'warn c']]);
  });

  it('ends its legs when the thread dies, and reports that once', async () => {
    const { worker, thread, logged, onLost, open } = await started();
    const onClosed = vi.fn();
    const leg = await open(1, onClosed);
    const measuring = leg.statistics();
    const opening = expect(worker.open('127.0.0.1', 0, () => {})).rejects.toMatchObject({ message: 'out of memory' });
    thread.emit('error', new Error('out of memory'));
    thread.emit('exit', 1);
    await opening;
    expect(await measuring).toBeNull();
    expect(onClosed).toHaveBeenCalledTimes(1);
    expect(onLost).toHaveBeenCalledTimes(1);
    expect(logged).toEqual(['error a media worker died with its calls']);
    expect(worker.load).toBe(0);
    await expect(worker.open('127.0.0.1', 0, () => {})).rejects.toMatchObject({ code: 'sip_media_worker' });
  });

  it('sends its last commands when it is closed, and waits for the end of the thread', async () => {
    const { worker, thread, clock, onLost, logged, open } = await started();
    const leg = await open(1);
    leg.sendDtmf('1', 100);
    const settled = vi.fn();
    const closing = worker.close().then(settled);
    expect(thread.posted.slice(-2)).toEqual([[{ type: 'send-dtmf', leg: 1, digits: '1', toneMs: 100 }], 'stop']);
    leg.sendDtmf('2', 100);
    await clock.advance(1_999);
    expect(settled).not.toHaveBeenCalled();
    thread.emit('exit', 0);
    await closing;
    expect(thread.posted.at(-1)).toBe('stop');
    expect([onLost.mock.calls, logged, clock.pending]).toEqual([[], [], 0]);
  });

  it('ends a thread that does not stop within 2 s', async () => {
    const { worker, thread, clock } = await started();
    const closing = Promise.all([worker.close(), worker.close()]);
    await clock.advance(2_000);
    await closing;
    expect(thread.isTerminated).toBe(true);
    expect(thread.posted).toEqual(['stop']);
  });
});
