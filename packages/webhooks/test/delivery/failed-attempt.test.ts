import type { Logger, WebhookOutcome } from '@va/core/adapter';
import { silentLogger, VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { delayAfterFailure } from '../../src/delivery/failed-attempt.ts';
import { Targets } from '../../src/delivery/targets.ts';
import { testHost } from '../support/dispatcher.ts';

const delivery = {
  ...{
    id: 'job',
    webhookId: 'id',
    event: 'status-update',
    orgId: 'org',
    agentId: null,
    callId: 'call',
    url: 'http://a',
  },
  ...{ body: '{}', attempts: 0, sequence: 1, predecessorId: null, isRedelivery: false },
} as const;

type Failure = Extract<WebhookOutcome, { ok: false }>;

function after(outcome: Partial<Failure>, { attempts = 0, retryAfterMs = 0 } = {}) {
  const entries: [level: string, fields: object, message: string][] = [];
  const logger: Logger = {
    ...silentLogger,
    warn: (fields: object, message: string) => void entries.push(['warn', fields, message]),
    error: (fields: object, message: string) => void entries.push(['error', fields, message]),
  };
  const failure = {
    ok: false,
    reason: 'status',
    status: 500,
    message: 'HTTP 500',
    latencyMs: 1,
    ...outcome,
  } as Failure;
  const posted = { url: 'http://a', headers: {}, outcome: failure, retryAfterMs };
  const random = (count: number) => new Uint8Array(count);
  const delayMs = delayAfterFailure({ ...delivery, attempts } as never, posted, { random, logger });
  return { delayMs, entries };
}

describe('delayAfterFailure', () => {
  it('retries, and logs the attempt with its delay', () => {
    const { delayMs, entries } = after({});
    expect(delayMs).toBe(5_000);
    expect(entries).toEqual([
      [
        'warn',
        expect.objectContaining({ attempt: 1, status: 500, error: 'HTTP 500', delayMs: 5_000 }),
        expect.any(String),
      ],
    ]);
  });

  it.each<[string, Partial<Failure>, number]>([
    ['after the last attempt', {}, 3],
    ['when the receiver is gone', { status: 410 }, 0],
    ['when the URL is refused', { reason: 'refused', status: null }, 0],
  ])('gives up %s', (_, outcome, attempts) => {
    const { delayMs, entries } = after(outcome, { attempts });
    expect(delayMs).toBeNull();
    expect(entries.map(([level]) => level)).toEqual(['error']);
  });

  it('waits for Retry-After', () => {
    expect(after({ status: 429 }, { retryAfterMs: 60_000 }).delayMs).toBe(60_000);
  });
});

describe('Targets', () => {
  const message = delivery as never;

  it('looks a target up once a second', async () => {
    const clock = new VirtualClock();
    let lookups = 0;
    const host = testHost(clock, {
      async targetOf({ url }) {
        lookups++;
        return { url, secret: `${lookups}` };
      },
    });
    const targets = new Targets(host);
    await clock.advance(10_000);
    expect(await targets.of(message)).toMatchObject({ secret: '1' });
    await clock.advance(999);
    expect(await targets.of(message)).toMatchObject({ secret: '1' });
    await clock.advance(1);
    expect(await targets.of(message)).toMatchObject({ secret: '2' });
  });

  it('repeats a failed lookup', async () => {
    const failures = [new Error('closed')];
    const host = testHost(new VirtualClock(), {
      async targetOf({ url }) {
        const failure = failures.shift();
        if (failure !== undefined) throw failure;
        return { url, secret: 'secret' };
      },
    });
    const targets = new Targets(host);
    await expect(targets.of(message)).rejects.toThrow('closed');
    expect(await targets.of(message)).toMatchObject({ secret: 'secret' });
  });
});
