import { scriptedLlm, scriptedTts, VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { FailureWatch } from '../../src/deployment/failure-watch.ts';
import { readDeployment } from '../../src/deployment/read-deployment.ts';
import type { NodeDetails } from '../../src/domain/deployment/node-details.ts';
import type { ServiceEvents } from '../../src/events.ts';
import { InProcessJobs } from '../../src/jobs/in-process-jobs.ts';
import type { NodeRecord } from '../../src/ports/cluster.ts';
import { ProviderCircuits } from '../../src/providers/provider-circuits.ts';

const orgId = '00000000-0000-7000-8000-00000000000a';
const failed = { orgId, callId: orgId, kind: 'tts', provider: 'voice', fault: 'quota' } as const;
const silent = { debug() {}, info() {}, warn() {}, error() {}, child: () => silent };

describe('FailureWatch', () => {
  it('counts failures of providers for fifteen minutes, and keeps the last one', async () => {
    const clock = new VirtualClock();
    const watch = new FailureWatch(clock);
    const circuits = new ProviderCircuits(clock);
    const providers = [scriptedTts({ id: 'voice' }), scriptedLlm([], { id: 'voice' })];
    watch.observe('provider.failed', failed);
    await clock.advance(60_000);
    watch.observe('provider.failed', { ...failed, fault: 'timeout' });
    const [tts, llm] = watch.providers(providers, circuits);
    expect(tts).toMatchObject({ kind: 'tts', recent_failures: 2, last_failure: { fault: 'timeout' } });
    expect(llm).toMatchObject({ kind: 'llm', recent_failures: 0, last_failure: null });
    await clock.advance(14 * 60_000);
    expect(watch.providers(providers, circuits)[0]?.recent_failures).toBe(1);
    await clock.advance(60_000);
    const [later] = watch.providers(providers, circuits);
    expect(later).toMatchObject({ recent_failures: 0, last_failure: { at: '2026-01-01T09:01:00.000Z' } });
  });

  it('counts the circuits of a provider by model and key, and the open ones', async () => {
    const clock = new VirtualClock();
    const circuits = new ProviderCircuits(clock, { failures: 1 });
    const [tts] = [scriptedTts({ id: 'voice' })];
    circuits.of(tts, { owner: null, model: null }).begin()?.succeeded();
    const broken = circuits.of(tts, { owner: orgId, model: 'm' }).begin();
    circuits.of({ kind: 'tts', id: 'voice2' }, { owner: null, model: null });
    broken?.failed(new Error('down'));
    await clock.advance(0);
    const [state] = new FailureWatch(clock).providers([tts], circuits);
    expect(state).toMatchObject({ circuits: 2, open_circuits: 1 });
  });

  it('counts failed webhooks and jobs by queue', () => {
    const watch = new FailureWatch(new VirtualClock());
    const attempt = (ok: boolean) => ({ outcome: { ok } }) as Parameters<ServiceEvents['webhook.attempt']>[0];
    for (const ok of [true, false, false]) watch.observe('webhook.attempt', attempt(ok));
    watch.jobFailed('mails');
    expect(watch.recentJobFailures).toEqual({ webhooks: 2, mails: 1 });
  });
});

describe('readDeployment', () => {
  const details: NodeDetails = {
    ...{ version: '1.2.3', is_starting: false, max_calls: 10, event_loop_lag_ms: 3 },
    ...{ providers: [], registrations: [], recent_job_failures: { mails: 2 } },
  };
  const record = (id: string, changes: Partial<NodeRecord> = {}): NodeRecord => ({
    ...{ id, name: id, isDraining: false, calls: 0, details },
    ...{ startedAt: '2026-01-01T08:00:00.000Z', expiresAt: '2026-01-01T09:00:12.000Z' },
    ...{ renewedAt: '2026-01-01T09:00:00.000Z', isExpired: false, ...changes },
  });

  it('returns the state of each node, and adds up the failures of queues', async () => {
    const clock = new VirtualClock();
    const jobs = new InProcessJobs(clock);
    await jobs.send([{ queue: 'mails', id: 'a', data: {}, afterMs: 0 }]);
    await clock.advance(5_000);
    const records = [
      record('serving'),
      record('starting', { details: { ...details, is_starting: true } }),
      record('draining', { isDraining: true }),
      record('lost', { isDraining: true, isExpired: true }),
      record('older', { details: null, renewedAt: null }),
    ];
    const { nodes, queues } = await readDeployment(records, { jobs, clock, logger: silent, nodeId: 'draining' });
    expect(nodes.map(({ state }) => state)).toEqual(['serving', 'starting', 'draining', 'lost', 'serving']);
    expect(nodes.map(({ is_answering: answers }) => answers)).toEqual([false, false, true, false, false]);
    expect(nodes[4]).toMatchObject({ version: null, max_calls: null, last_seen_at: null, providers: [] });
    expect(queues).toContainEqual({ name: 'mails', waiting: 1, oldest_seconds: 5, recent_failures: 8 });
    expect(queues).toContainEqual({ name: 'webhooks', waiting: 0, oldest_seconds: null, recent_failures: 0 });
  });

  it('returns null for the jobs of a queue that cannot be reached', async () => {
    const clock = new VirtualClock();
    const jobs = new InProcessJobs(clock);
    jobs.waiting = () => Promise.reject(new Error('no connection'));
    const { queues } = await readDeployment([record('a')], { jobs, clock, logger: silent, nodeId: 'a' });
    expect(queues[0]).toEqual({ name: 'webhooks', waiting: null, oldest_seconds: null, recent_failures: 0 });
  });
});
