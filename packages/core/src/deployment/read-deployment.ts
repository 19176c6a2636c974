import type { Deployment, DeploymentNode, QueueState } from '../domain/deployment/deployment.ts';
import type { NodeDetails } from '../domain/deployment/node-details.ts';
import { toError } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { NodeRecord } from '../ports/cluster.ts';
import { type JobQueue, jobQueues } from '../ports/jobs.ts';
import type { Logger } from '../ports/logger.ts';

interface ReadDeploymentDependencies {
  readonly jobs: JobQueue;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Id of this process. */
  readonly nodeId: string;
}

/** Returns the nodes as the API shows them, and the queues that they share. */
export async function readDeployment(
  records: readonly NodeRecord[],
  deps: ReadDeploymentDependencies,
): Promise<Deployment> {
  return {
    nodes: records.map((record) => toNode(record, deps.nodeId)),
    queues: await Promise.all(jobQueues.map((queue) => queueState(queue, records, deps))),
  };
}

function toNode(record: NodeRecord, nodeId: string): DeploymentNode {
  const { id, name, calls, startedAt, renewedAt = null, details } = record;
  return {
    id,
    name,
    version: details?.version ?? null,
    state: stateOf(record),
    started_at: startedAt,
    last_seen_at: renewedAt,
    calls,
    max_calls: details?.max_calls ?? null,
    event_loop_lag_ms: details?.event_loop_lag_ms ?? null,
    is_answering: id === nodeId,
    providers: details?.providers ?? [],
    registrations: details?.registrations ?? [],
  };
}

function stateOf({ isExpired = false, isDraining, details }: NodeRecord): DeploymentNode['state'] {
  if (isExpired) return 'lost';
  if (isDraining) return 'draining';
  return details?.is_starting === true ? 'starting' : 'serving';
}

async function queueState(
  name: string,
  records: readonly { readonly details?: NodeDetails | null }[],
  { jobs, clock, logger }: ReadDeploymentDependencies,
): Promise<QueueState> {
  const failures = records.map(({ details }) => details?.recent_job_failures[name] ?? 0);
  const state = { name, recent_failures: failures.reduce((sum, count) => sum + count, 0) };
  try {
    const waiting = (await jobs.waiting?.(name)) ?? null;
    const oldestMs = waiting === 0 ? null : ((await jobs.oldestMs?.(name)) ?? null);
    const oldest_seconds = oldestMs === null ? null : Math.max(0, Math.round((clock.wallMs() - oldestMs) / 1_000));
    return { ...state, waiting, oldest_seconds };
  } catch (thrown) {
    logger.warn({ err: toError(thrown), queue: name }, 'failed to read the state of a queue');
    return { ...state, waiting: null, oldest_seconds: null };
  }
}
