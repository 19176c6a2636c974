import { z } from 'zod';
import { analysisTaskSchema } from './analysis/analysis-task.ts';

/** The queue of what is done when a call is over. */
export const afterCallQueue = 'after-call';

export const followUpSchema = z.object({
  orgId: z.string(),
  callId: z.string(),
  task: analysisTaskSchema,
  /** Without its secret; null where nobody wants a report. */
  report: z
    .object({
      url: z.string(),
      /** The agent whose webhook settings count; that of the call in jobs of earlier versions. */
      agentId: z.string().nullable().optional(),
      numberName: z.string().nullable(),
      assistant: z.record(z.string(), z.unknown()).nullable(),
    })
    .nullable(),
  /** The webhook job that the report must not overtake, in jobs of earlier versions. */
  after: z.string().nullable().optional(),
  /** The report does not wait for the analysis any longer than this. */
  reportBy: z.iso.datetime(),
  notificationEmail: z.string().nullable(),
});

/** The data of a job after a call: all that it takes beyond the records, without any secret. */
export type FollowUp = z.infer<typeof followUpSchema>;
