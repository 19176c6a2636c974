import { z } from 'zod';

/** Period of recent failures. */
export const recentMinutes = 15;

export const providerHealthSchema = z.object({
  kind: z.enum(['stt', 'llm', 'tts', 'realtime']),
  provider: z.string(),
  /** Circuit breakers in use: one for each model and key. */
  circuits: z.int(),
  /** Number of open circuits, which keep calls from a provider that failed repeatedly. */
  open_circuits: z.int(),
  /** Failures in calls during the last 15 minutes. */
  recent_failures: z.int(),
  /** Last failure since the start of the process. */
  last_failure: z.object({ fault: z.string(), at: z.iso.datetime() }).nullable(),
});

/** Health of a provider, as a process knows it. */
export type ProviderHealth = z.infer<typeof providerHealthSchema>;

export const registrationHealthSchema = z.object({
  /** `host` or `host:port`. */
  registrar: z.string(),
  account: z.string(),
  state: z.enum(['registering', 'registered', 'failed']),
  since: z.iso.datetime(),
  /** Expiry of a registration unless it is refreshed; null otherwise. */
  expires_at: z.iso.datetime().nullable(),
  /** Reason of the failure; null otherwise. */
  reason: z.string().nullable(),
});

/** An account of the host at a SIP registrar. */
export type RegistrationHealth = z.infer<typeof registrationHealthSchema>;

/** Facts that a process publishes about itself with its lease. */
export const nodeDetailsSchema = z.object({
  version: z.string(),
  is_starting: z.boolean(),
  max_calls: z.int(),
  event_loop_lag_ms: z.number(),
  providers: z.array(providerHealthSchema),
  registrations: z.array(registrationHealthSchema),
  /** Failed attempts of jobs during the last 15 minutes, by queue. */
  recent_job_failures: z.record(z.string(), z.int()),
  /** WebSocket URL at which browsers reach the process; null or absent if it has none of its own. */
  web_call_url: z.string().nullable().optional(),
});

/** Facts that a node publishes about itself. */
export type NodeDetails = z.infer<typeof nodeDetailsSchema>;
