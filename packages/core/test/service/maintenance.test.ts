import { ScriptedWebhooks, silentLogger, VirtualClock } from '@va/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { InProcessJobs } from '../../src/jobs/in-process-jobs.ts';
import type { JobQueue } from '../../src/ports/jobs.ts';
import { HostEvents } from '../../src/service/host-events.ts';
import { Janitor } from '../../src/service/janitor.ts';
import { readLoad } from '../../src/service/load.ts';

const everyMs = 60_000;

let clock: VirtualClock;
let logged: string[];
const logger = { ...silentLogger, error: (_fields: object, message: string) => void logged.push(message) };

beforeEach(() => {
  clock = new VirtualClock();
  logged = [];
});

describe('Janitor', () => {
  it('runs at its interval, for the first time after one', async () => {
    let runs = 0;
    const work = async (): Promise<void> => {
      runs += 1;
    };
    new Janitor({ clock, logger, everyMs, work }).start();
    await clock.advance(everyMs - 1);
    expect(runs).toBe(0);
    await clock.advance(1 + 2 * everyMs);
    expect(runs).toBe(3);
  });

  it('starts the interval after a run that takes long', async () => {
    const ends: (() => void)[] = [];
    const work = (): Promise<void> => new Promise((resolve) => ends.push(resolve));
    new Janitor({ clock, logger, everyMs, work }).start();
    await clock.advance(10 * everyMs);
    expect(ends).toHaveLength(1);
    ends[0]?.();
    await clock.advance(everyMs);
    expect(ends).toHaveLength(2);
  });

  it('logs a failure, and runs again', async () => {
    let runs = 0;
    const work = async (): Promise<void> => {
      runs += 1;
      throw new Error('deadlock');
    };
    new Janitor({ clock, logger, everyMs, work }).start();
    await clock.advance(2 * everyMs);
    expect([runs, logged]).toEqual([2, ['cleaning up failed', 'cleaning up failed']]);
  });

  it('waits for the run in progress when it stops, and starts no other', async () => {
    let end: () => void = () => {};
    let runs = 0;
    const work = (): Promise<void> => {
      runs += 1;
      return new Promise((resolve) => {
        end = resolve;
      });
    };
    const janitor = new Janitor({ clock, logger, everyMs, work });
    janitor.start();
    await clock.advance(everyMs);
    let hasStopped = false;
    void janitor.stop().then(() => {
      hasStopped = true;
    });
    await clock.advance(everyMs);
    expect(hasStopped).toBe(false);
    end();
    await clock.advance(2 * everyMs);
    expect([hasStopped, runs, clock.pending]).toEqual([true, 1, 0]);
    janitor.start();
    expect(clock.pending).toBe(0);
  });
});

describe('HostEvents', () => {
  const event = { orgId: 'org-1', url: 'https://hooks.example.com/', reason: 'gone' } as never;

  it('passes events on to the observer and the listeners', () => {
    const received: string[] = [];
    const events = new HostEvents(logger, (name) => received.push(`observer ${name}`));
    events.emitter.on('webhook.disabled', (each) => received.push(`listener ${each.orgId}`));
    events.emit('webhook.disabled', event);
    expect(received).toEqual(['observer webhook.disabled', 'listener org-1']);
  });

  it('logs what a listener throws', () => {
    const events = new HostEvents(logger);
    events.emitter.on('webhook.disabled', () => {
      throw new Error('a defect of the host');
    });
    expect(() => events.emit('webhook.disabled', event)).not.toThrow();
    expect(logged).toEqual(['event listener threw']);
  });
});

describe('readLoad', () => {
  it('returns calls, webhooks in flight and the unfinished jobs of each queue', async () => {
    const jobs = new InProcessJobs(clock);
    await jobs.send([
      { queue: 'mails', id: '1', data: {}, afterMs: 0 },
      { queue: 'mails', id: '2', data: {}, afterMs: 60_000 },
    ]);
    const webhooks = Object.assign(new ScriptedWebhooks(), { inFlight: 4 });
    expect(await readLoad({ count: 3, limit: 10 }, webhooks, jobs)).toEqual({
      activeCalls: 3,
      maxConcurrentCalls: 10,
      webhooksInFlight: 4,
      jobs: { webhooks: 0, 'after-call': 0, mails: 2 },
    });
  });

  it('returns null for what is not reported', async () => {
    const jobs = { waiting: undefined } as unknown as JobQueue;
    expect(await readLoad({ count: 0, limit: 1 }, new ScriptedWebhooks(), jobs)).toMatchObject({
      webhooksInFlight: null,
      jobs: null,
    });
  });
});
