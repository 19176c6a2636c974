import type { Clock } from '@va/core/adapter';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ResendClient, type SendRequest } from '../../src/resend/client.ts';

afterEach(() => void vi.unstubAllEnvs());

/** A clock whose timers fire at once, except those of `neverMs` or more, which never fire. */
class HastyClock implements Clock {
  readonly waitsMs: number[] = [];
  pending = 0;
  readonly #neverMs: number;

  constructor(neverMs: number) {
    this.#neverMs = neverMs;
  }

  nowMs(): number {
    return 0;
  }

  wallMs(): number {
    return 0;
  }

  setTimer(delayMs: number, run: () => void): { cancel(): void } {
    if (delayMs >= this.#neverMs) {
      this.pending += 1;
      return {
        cancel: () => {
          this.pending -= 1;
        },
      };
    }
    this.waitsMs.push(delayMs);
    queueMicrotask(run);
    return { cancel: () => {} };
  }
}

type Answer = Awaited<ReturnType<SendRequest>>;
const limited = (retryAfter?: string): Answer => ({
  data: null,
  error: { name: 'rate_limit_exceeded', message: 'Too many.', statusCode: 429 },
  headers: retryAfter === undefined ? null : { 'retry-after': retryAfter },
});
const sent: Answer = { data: { id: 'm1' }, error: null, headers: null };

/** Sends a request whose attempts get these answers in turn. */
async function send(...answers: readonly Answer[]) {
  const clock = new HastyClock(10_000);
  const client = new ResendClient({ apiKey: 're_test', clock });
  let requests = 0;
  const result = await client
    .request(async () => {
      requests += 1;
      return answers[requests - 1] ?? sent;
    })
    .catch((thrown: unknown) => thrown);
  return { result, requests, clock };
}

describe('ResendClient', () => {
  it('returns the data of the response, and leaves no timer behind', async () => {
    const { result, clock } = await send(sent);
    expect([result, clock.pending, clock.waitsMs]).toEqual([{ id: 'm1' }, 0, []]);
  });

  it.each([
    ['2', 2_000],
    ['0', 0],
    ['0.5', 500],
    [undefined, 1_000],
    ['soon', 1_000],
    ['-1', 1_000],
  ])('waits as long as a Retry-After of %j says: %i ms', async (retryAfter, ms) => {
    const { result, requests, clock } = await send(limited(retryAfter));
    expect([result, requests, clock.waitsMs]).toEqual([{ id: 'm1' }, 2, [ms]]);
  });

  it('gives up after three repetitions', async () => {
    const { result, requests, clock } = await send(limited(), limited(), limited(), limited());
    expect(result).toMatchObject({ fault: 'unavailable', status: 429 });
    expect([requests, clock.waitsMs, clock.pending]).toEqual([4, [1_000, 1_000, 1_000], 0]);
  });

  it('does not repeat a request after another error', async () => {
    const refused = { name: 'validation_error', message: 'No.', statusCode: 422 } as const;
    const { result, requests } = await send({ data: null, error: refused, headers: { 'retry-after': '1' } });
    expect(result).toMatchObject({ fault: 'invalid_request' });
    expect(requests).toBe(1);
  });

  it('fails for an answer without data and error', async () => {
    expect((await send({ data: null, error: null, headers: null })).result).toMatchObject({ fault: 'protocol' });
  });

  it('stops waiting for the rate limit when the time limit ends', async () => {
    const waiting: (() => void)[] = [];
    const clock = { nowMs: () => 0, wallMs: () => 0, setTimer: (_: number, run: () => void) => ({ cancel() {}, run }) };
    const setTimer = vi.spyOn(clock, 'setTimer').mockImplementation((_, run) => {
      waiting.push(run);
      return { cancel() {}, run };
    });
    const client = new ResendClient({ apiKey: 're_test', clock, timeoutMs: 5_000 });
    const failing = expect(
      client.request(async (_client, { signal }) => (signal.aborted ? { ...sent, data: null } : limited('60'))),
    ).rejects.toMatchObject({ fault: 'timeout', message: expect.stringContaining('5000 ms') });
    await vi.waitFor(() => expect(setTimer).toHaveBeenCalledTimes(2), { interval: 1 });
    waiting[0]?.();
    await failing;
  });

  it('fails without a key, and reads the key of the environment when it is first used', async () => {
    vi.stubEnv('RESEND_API_KEY', '');
    const client = new ResendClient({ clock: new HastyClock(10_000) });
    await expect(client.request(async () => sent)).rejects.toMatchObject({ fault: 'auth' });
    vi.stubEnv('RESEND_API_KEY', 're_late');
    const keys: unknown[] = [];
    await client.request(async (resend) => {
      keys.push(Reflect.get(resend, 'key'));
      return sent;
    });
    expect(keys).toEqual(['re_late']);
  });
});
