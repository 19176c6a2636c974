import { z } from 'zod';
import { analysisTaskSchema } from './analysis/analysis-task.ts';

/** Queue of the work after the end of calls. */
export const afterCallQueue = 'after-call';

export const followUpSchema = z.object({
  orgId: z.string(),
  callId: z.string(),
  task: analysisTaskSchema,
  /** Report target without its secret; null if no report is requested. */
  report: z
    .object({
      url: z.string(),
      /** The agent whose webhook settings apply; that of the call in jobs of earlier versions. */
      agentId: z.string().nullable().optional(),
      numberName: z.string().nullable(),
      assistant: z.record(z.string(), z.unknown()).nullable(),
    })
    .nullable(),
  /** Webhook job that the report must not overtake, in jobs of earlier versions. */
  after: z.string().nullable().optional(),
  /** Time until which the report waits for the analysis. */
  reportBy: z.iso.datetime(),
  notificationEmail: z.string().nullable(),
});

/** Data of a job after a call, in addition to the records. Contains no secrets. */
export type FollowUp = z.infer<typeof followUpSchema>;
