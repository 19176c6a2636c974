import { z } from 'zod';
import { recordIdSchema } from '../records/record-id.ts';

/** States of a campaign. */
export const campaignStatuses = ['draft', 'scheduled', 'running', 'paused', 'completed', 'cancelled'] as const;
/** State of a campaign. */
export type CampaignStatus = (typeof campaignStatuses)[number];

/** Allowed transitions. `running` and `completed` are set by the service only. */
export const campaignTransitions: Readonly<Record<CampaignStatus, readonly CampaignStatus[]>> = {
  draft: ['scheduled', 'cancelled'],
  scheduled: ['running', 'paused', 'cancelled'],
  running: ['scheduled', 'completed', 'paused', 'cancelled'],
  paused: ['scheduled', 'cancelled'],
  completed: [],
  cancelled: [],
};

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export const retryReasons = ['no_answer', 'busy', 'failed', 'voicemail'] as const;

/** A campaign, as the API returns it. */
export const campaignSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  /** Null after the deletion of the agent. */
  agent_id: z.uuid().nullable(),
  number_id: z.uuid().nullable(),
  status: z.enum(campaignStatuses),
  status_reason: z.string().nullable(),
  system_message_template: z.string().nullable(),
  /** Start and end of the calling hours, `HH:MM:SS` in the campaign's time zone. */
  schedule_start_time: z.string(),
  schedule_end_time: z.string(),
  /** IANA name of the time zone. */
  timezone: z.string(),
  schedule_days: z.array(z.enum(weekdays)),
  /** First and last day of the campaign, `YYYY-MM-DD` in its time zone; null for no limit. */
  start_date: z.iso.date().nullable(),
  end_date: z.iso.date().nullable(),
  max_concurrent_calls: z.int(),
  calls_per_minute: z.int().nullable(),
  max_attempts: z.int(),
  retry_delay_seconds: z.int(),
  retry_on: z.array(z.enum(retryReasons)),
  /** All leads: the sum of the five below. */
  total_leads: z.int(),
  pending_leads: z.int(),
  calling_leads: z.int(),
  completed_leads: z.int(),
  failed_leads: z.int(),
  skipped_leads: z.int(),
  /** Ended calls. */
  total_calls: z.int(),
  answered_calls: z.int(),
  /** Share of the ended calls, from 0 to 1; null without any. */
  answered_rate: z.number().nullable(),
  /** Average over the answered calls; null without any. */
  average_duration_seconds: z.number().nullable(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

/** A list of leads with the agent that calls them, its calling hours and its pace. */
export type Campaign = z.infer<typeof campaignSchema>;

/** A campaign as stored. */
export type CampaignRecord = Omit<Campaign, 'answered_rate' | 'average_duration_seconds'> & {
  /** Total duration of its answered calls. */
  talk_seconds: number;
  /** Due time of the next scheduler pass; null if there is nothing to do. During a pass, the end of its lease. */
  next_pass_at: string | null;
  /**
   * Time until which the pace is used up by the calls dialed so far, in milliseconds since 1970; null before the first.
   */
  paced_until_ms: number | null;
  /** Consecutive calls that the trunk could not place. */
  dial_failures: number;
  /** End of the back-off, in milliseconds since 1970; null while the trunk works. */
  slowed_until_ms: number | null;
};

/** A campaign as the API shows it. */
export function toCampaign(record: CampaignRecord): Campaign {
  const { talk_seconds: talkSeconds, next_pass_at: _pass, paced_until_ms: _pace, ...others } = record;
  const { dial_failures: _failures, slowed_until_ms: _slowed, ...shown } = others;
  const { total_calls: calls, answered_calls: answered } = record;
  return {
    ...shown,
    answered_rate: calls === 0 ? null : Math.round((answered / calls) * 1e4) / 1e4,
    average_duration_seconds: answered === 0 ? null : Math.round((talkSeconds / answered) * 10) / 10,
  };
}

/** Progress of a campaign, as its event stream sends it. */
export const campaignProgressSchema = campaignSchema.pick({
  id: true,
  status: true,
  status_reason: true,
  total_leads: true,
  pending_leads: true,
  calling_leads: true,
  completed_leads: true,
  failed_leads: true,
  skipped_leads: true,
  total_calls: true,
  answered_calls: true,
  answered_rate: true,
  average_duration_seconds: true,
});

/** Progress of a campaign. */
export type CampaignProgress = z.infer<typeof campaignProgressSchema>;

export function toCampaignProgress(record: CampaignRecord): CampaignProgress {
  return campaignProgressSchema.parse(toCampaign(record));
}

const timeOfDaySchema = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/, 'expected HH:MM:SS or HH:MM')
  .transform((text) => (text.length === 5 ? `${text}:00` : text));

/** A name of the IANA time zone database; offsets such as `+01:00` are refused. */
const timeZoneSchema = z
  .string()
  .max(100)
  .refine(isTimeZone, {
    error: 'expected an IANA time zone, such as Europe/Amsterdam',
    params: { code: 'invalid_timezone' },
  });

function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

const distinct = (list: readonly unknown[]): boolean => new Set(list).size === list.length;

const campaignFields = {
  name: z.string().trim().min(1).max(200),
  agent_id: recordIdSchema,
  number_id: recordIdSchema.nullable(),
  system_message_template: z.string().max(100_000).nullable(),
  schedule_start_time: timeOfDaySchema,
  schedule_end_time: timeOfDaySchema,
  timezone: timeZoneSchema,
  schedule_days: z.array(z.enum(weekdays)).min(1).refine(distinct, 'contains a duplicate day'),
  start_date: z.iso.date().nullable(),
  end_date: z.iso.date().nullable(),
  max_concurrent_calls: z.int().min(1).max(1_000),
  calls_per_minute: z.int().min(1).max(10_000).nullable(),
  max_attempts: z.int().min(1).max(20),
  retry_delay_seconds: z.int().min(0).max(2_592_000),
  retry_on: z.array(z.enum(retryReasons)).refine(distinct, 'contains a duplicate reason'),
};

/** Body of `PATCH /campaigns/{id}`. */
export const updateCampaignSchema = z
  .strictObject({ ...campaignFields, status: z.enum(['scheduled', 'paused', 'cancelled']) })
  .partial();
/** Body of `POST /campaigns`. */
export const createCampaignSchema = z.strictObject(campaignFields).partial().required({
  name: true,
  agent_id: true,
  schedule_start_time: true,
  schedule_end_time: true,
  timezone: true,
});

/** Body of `POST /campaigns`. */
export type NewCampaign = z.input<typeof createCampaignSchema>;
/** Body of `PATCH /campaigns/{id}`. */
export type CampaignChanges = z.input<typeof updateCampaignSchema>;
