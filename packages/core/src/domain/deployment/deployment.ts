import { z } from 'zod';
import { providerHealthSchema, registrationHealthSchema } from './node-details.ts';

/** States of a process. `lost`: its lease has ended, and another process is about to end its calls. */
export const nodeStates = ['starting', 'serving', 'draining', 'lost'] as const;

const nodeSchema = z.object({
  id: z.uuid(),
  /** Readable name, such as the host name and process id. */
  name: z.string(),
  /** Null, like the other nullable fields, if the process has an earlier version that does not publish the value. */
  version: z.string().nullable(),
  state: z.enum(nodeStates),
  started_at: z.iso.datetime(),
  last_seen_at: z.iso.datetime().nullable(),
  /** Calls in progress. */
  calls: z.int(),
  max_calls: z.int().nullable(),
  /** 95th percentile of the last seconds. */
  event_loop_lag_ms: z.number().nullable(),
  /** True for the process that answered the request. */
  is_answering: z.boolean(),
  providers: z.array(providerHealthSchema),
  registrations: z.array(registrationHealthSchema),
});

/** A process of the deployment. */
export type DeploymentNode = z.infer<typeof nodeSchema>;

const queueStateSchema = z.object({
  name: z.string(),
  /** Number of unsettled jobs, delayed ones included. Up to a minute old; null if the queue does not report it. */
  waiting: z.int().nullable(),
  /** Time since the oldest unsettled job was stored or put back; null without jobs, or if it is not reported. */
  oldest_seconds: z.number().nullable(),
  /** Failed attempts of all processes during the last 15 minutes. */
  recent_failures: z.int(),
});

/** State of a job queue. */
export type QueueState = z.infer<typeof queueStateSchema>;

/** Response of `GET /nodes`. */
export const deploymentSchema = z.object({
  /** The oldest first. */
  nodes: z.array(nodeSchema),
  queues: z.array(queueStateSchema),
});

/** The processes that share a storage, and the work that waits for them. */
export type Deployment = z.infer<typeof deploymentSchema>;
