import { VirtualClock } from '@va/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import type { RequestError } from '../../src/errors.ts';
import { type SampleRequest, VoiceSampler } from '../../src/voice-samples/voice-sampler.ts';

const audio = new Uint8Array([1, 2, 3]);

/** A synthesis that the test ends. */
interface Synthesis {
  readonly signal: AbortSignal;
  end(result?: Uint8Array): void;
  fail(error: Error): void;
}

let clock: VirtualClock;
let sampler: VoiceSampler;
let syntheses: Synthesis[];

beforeEach(() => {
  clock = new VirtualClock();
  sampler = new VoiceSampler(clock, { limits: { maxRunning: 3, maxRunningPerOrganization: 2 } });
  syntheses = [];
});

function sample(text: string, changes: Partial<SampleRequest> = {}): Promise<Uint8Array> {
  const request: SampleRequest = { orgId: 'org-1', owner: null, contents: [text], signal: undefined, ...changes };
  const result = sampler.sample(request, (signal) => {
    return new Promise((resolve, reject) => {
      syntheses.push({ signal, end: (made = audio) => resolve(made), fail: reject });
    });
  });
  result.catch(() => {});
  return result;
}

async function refusal(work: Promise<unknown>): Promise<RequestError> {
  return await work.then(
    () => Promise.reject(new Error('expected a refusal')),
    (error: RequestError) => error,
  );
}

describe('VoiceSampler', () => {
  it('has a sample made once for all who wait for it, and keeps it', async () => {
    const waiting = [sample('Hello.'), sample('Hello.', { orgId: 'org-2' })];
    syntheses[0]?.end();
    expect(await Promise.all(waiting)).toEqual([audio, audio]);
    expect(await sample('Hello.')).toEqual(audio);
    expect(syntheses).toHaveLength(1);
  });

  it.each([
    ['other contents', { contents: ['Hello.', 'nl'] }],
    ['another owner', { owner: 'org-1' }],
  ])('makes another one for %s', async (_case, changes) => {
    void sample('Hello.');
    void sample('Hello.', changes);
    expect(syntheses).toHaveLength(2);
  });

  it('makes a sample again after a failure, which all who waited get', async () => {
    const waiting = [sample('Hello.'), sample('Hello.')];
    syntheses[0]?.fail(new Error('no such voice'));
    for (const each of waiting) await expect(each).rejects.toThrow('no such voice');
    const again = sample('Hello.');
    syntheses[1]?.end();
    expect(await again).toEqual(audio);
  });

  it('continues while anyone waits, and aborts when the last one leaves', async () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const results = [sample('Hello.', { signal: first.signal }), sample('Hello.', { signal: second.signal })];
    first.abort(new Error('first left'));
    await expect(results[0]).rejects.toThrow('first left');
    expect(syntheses[0]?.signal.aborted).toBe(false);
    second.abort(new Error('second left'));
    await expect(results[1]).rejects.toThrow('second left');
    expect(syntheses[0]?.signal.aborted).toBe(true);
  });

  it('starts another synthesis if the running one is being aborted', async () => {
    const leaving = new AbortController();
    const left = sample('Hello.', { signal: leaving.signal });
    leaving.abort(new Error('left'));
    await expect(left).rejects.toThrow('left');
    const next = sample('Hello.');
    expect(syntheses).toHaveLength(2);
    syntheses[0]?.fail(new Error('aborted'));
    await clock.advance(0);
    const joined = sample('Hello.');
    expect(syntheses).toHaveLength(2);
    syntheses[1]?.end();
    expect(await Promise.all([next, joined])).toEqual([audio, audio]);
  });

  it('starts nothing for a listener who has left already', async () => {
    await expect(sample('Hello.', { signal: AbortSignal.abort(new Error('left')) })).rejects.toThrow('left');
    expect(syntheses).toHaveLength(0);
  });

  it('refuses more syntheses of one organization than the limit, but joins running ones', async () => {
    const running = [sample('One.'), sample('Two.')];
    const error = await refusal(sample('Three.'));
    expect(error).toMatchObject({ status: 429, code: 'rate_limit_exceeded', retryAfterSeconds: 2 });
    expect(error.message).toContain('The organization has 2 samples');
    const joined = sample('Two.');
    for (const each of syntheses) each.end();
    await Promise.all([...running, joined]);
    void sample('Three.');
    expect(syntheses).toHaveLength(3);
  });

  it('refuses more syntheses in all than the limit', async () => {
    void sample('One.');
    void sample('Two.');
    void sample('Three.', { orgId: 'org-2' });
    const error = await refusal(sample('Four.', { orgId: 'org-3' }));
    expect([error.status, error.message]).toEqual([
      429,
      'This process makes as many samples of voices as it may at a time.',
    ]);
  });

  it('has room again after a failed synthesis', async () => {
    const failing = [sample('One.'), sample('Two.')];
    for (const each of syntheses) each.fail(new Error('out of order'));
    await Promise.allSettled(failing);
    void sample('Three.');
    expect(syntheses).toHaveLength(3);
  });
});
