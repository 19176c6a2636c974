import { z } from 'zod';

const trunkStates = ['unknown', 'reachable', 'unreachable'] as const;

/** Health of a trunk, as one node knows it. */
export const nodeTrunkHealthSchema = z.object({
  /** Result of the checks of the trunk's addresses for outbound calls: `reachable` if one of them responds. */
  state: z.enum(trunkStates),
  /** Time of the last change of `state`; null while it is unknown. */
  since: z.iso.datetime().nullable(),
  checked_at: z.iso.datetime().nullable(),
  /** Round-trip time of the last check that got a response. */
  round_trip_ms: z.number().nullable(),
  /** Reason for which the last check failed; null if it did not. */
  reason: z.string().nullable(),
  /** Time of a carrier's last authenticated webhook. */
  last_webhook_at: z.iso.datetime().nullable(),
  /** Time at which a call placed over the trunk was last answered. */
  last_answer_at: z.iso.datetime().nullable(),
  /** The last call that the trunk could not place, for a reason other than the called person. */
  last_failure: z.object({ at: z.iso.datetime(), reason: z.string() }).nullable(),
});

/** Health of a trunk, as one node knows it. */
export type NodeTrunkHealth = z.infer<typeof nodeTrunkHealthSchema>;

/** Health of a trunk without calls and probes. */
export const unknownTrunkHealth: NodeTrunkHealth = {
  state: 'unknown',
  since: null,
  checked_at: null,
  round_trip_ms: null,
  reason: null,
  last_webhook_at: null,
  last_answer_at: null,
  last_failure: null,
};

/** Health of a trunk, as the API returns it. */
export const trunkHealthSchema = z.object({
  trunk_id: z.uuid(),
  /** `degraded`: reachable for some nodes only. `unknown`: no node has placed calls over it in the last hour. */
  state: z.enum([...trunkStates, 'degraded']),
  /** State on each node; nodes without any are left out. */
  nodes: z.array(z.object({ node_id: z.uuid(), ...nodeTrunkHealthSchema.shape })),
});

/** Health of a trunk, as the nodes of the deployment know it. */
export type TrunkHealth = z.infer<typeof trunkHealthSchema>;
