import type { Call, EndReason } from '@va/core';
import { type CallStatisticsRecord, turnClassFields } from '../../../packages/core/src/domain/calls/call-statistics.ts';
import type { ConsoleService } from '../support/console-service.ts';
import { durationSeconds, events, facts, parts } from './conversation.ts';
import { pick, seededRandom, uuidAt } from './random.ts';
import { speechRecording } from './recording.ts';

const dayMs = 86_400_000;

/** An agent or a campaign that past calls belong to. */
interface Owner {
  readonly id: string;
  readonly name: string;
}

export interface PastCalls {
  readonly nowMs: number;
  readonly agents: readonly (readonly [Owner, number])[];
  /** Called by its agent. */
  readonly campaign: { readonly id: string; readonly agent: Owner };
}

const inboundEnds: readonly (readonly [EndReason, number])[] = [
  ['user_hangup', 52],
  ['agent_hangup', 30],
  ['transferred', 9],
  ['silence_timeout', 3],
  ['llm_error', 1],
];
const outboundEnds: readonly (readonly [EndReason, number])[] = [
  ['user_hangup', 40],
  ['agent_hangup', 34],
  ['voicemail', 14],
  ['no_answer', 12],
  ['busy', 4],
];
const unanswered = new Set<EndReason>(['no_answer', 'busy']);

/** Stores six weeks of calls with statistics and usage; returns the id of the newest, which has everything. */
export async function addPastCalls(service: ConsoleService, past: PastCalls): Promise<string> {
  const random = seededRandom(41);
  for (let day = 41; day >= 0; day -= 1) {
    const date = new Date(past.nowMs - day * dayMs);
    const isWeekend = date.getUTCDay() % 6 === 0;
    const count = Math.round((isWeekend ? 2 : 7) + random() * 3 + (41 - day) / 12);
    for (let call = 0; call < count; call += 1) {
      const atMs = date.setUTCHours(8, 0, 0, 0) + random() * 9 * 3_600_000;
      if (atMs < past.nowMs - 1_800_000) await addPastCall(service, past, atMs, random);
    }
  }
  return await addWholeCall(service, past);
}

async function addPastCall(
  service: ConsoleService,
  past: PastCalls,
  atMs: number,
  random: () => number,
): Promise<void> {
  const isOutbound = random() < 0.25;
  const agent = isOutbound ? past.campaign.agent : pick(random, past.agents);
  const end_reason = pick(random, isOutbound ? outboundEnds : inboundEnds);
  const isAnswered = !unanswered.has(end_reason);
  const duration = isAnswered ? Math.round(25 + random() * random() * 280) : 0;
  const latencyMs = Math.round(430 + random() * random() * 600);
  const cost = isAnswered ? Math.round((0.01 + duration * 0.0006) * 1e4) / 1e4 : null;
  const phone = `+316${String(10_000_000 + Math.floor(random() * 89_999_999))}`;
  const at = new Date(atMs).toISOString();
  const campaign_id = isOutbound ? past.campaign.id : null;
  const call = await service.addCall({
    ...{
      id: uuidAt(atMs, random),
      created_at: at,
      updated_at: at,
      started_at: at,
      answered_at: isAnswered ? at : null,
    },
    ...{ ended_at: new Date(atMs + duration * 1_000).toISOString(), duration_seconds: duration, end_reason, cost },
    ...{ agent_id: agent.id, agent_name: agent.name, campaign_id, direction: isOutbound ? 'outbound' : 'inbound' },
    ...(isOutbound ? { phone_number: phone, caller_phone: '+31201234501' } : { caller_phone: phone }),
    latency: isAnswered
      ? { turns: [], total_ms: { p50: latencyMs, p95: Math.round(latencyMs * 1.5) }, interruptions_ms: [] }
      : null,
  });
  await addFigures(service, call, { latencyMs, random });
}

async function addFigures(
  service: ConsoleService,
  call: Call,
  { latencyMs, random }: { readonly latencyMs: number; readonly random: () => number },
): Promise<void> {
  const none = Object.fromEntries(turnClassFields.map((field) => [field, 0])) as Pick<
    CallStatisticsRecord,
    (typeof turnClassFields)[number]
  >;
  const turns = Math.ceil((call.duration_seconds ?? 0) / 14);
  const late = Math.floor(turns / 8);
  const classAt = (ms: number): (typeof turnClassFields)[number] =>
    turnClassFields.find((field) => ms <= Number(field.slice('turns_to_'.length))) ?? 'turns_longer';
  const cost = call.cost ?? 0;
  await service.storage.callStatistics.insert(service.orgId, {
    ...none,
    ...{ id: call.id, agent_id: call.agent_id, campaign_id: call.campaign_id, day: call.created_at.slice(0, 10) },
    ...{ direction: call.direction, end_reason: call.end_reason ?? 'user_hangup', answered: turns > 0 ? 1 : 0 },
    ...{ duration_seconds: call.duration_seconds ?? 0, cost: call.cost, turns },
    ...{ [classAt(latencyMs)]: turns - late, [classAt(latencyMs * 1.7)]: late },
    ...{
      interruptions: random() < 0.4 ? 1 : 0,
      tool_calls: Math.ceil(turns / 3),
      failed_tools: random() < 0.06 ? 1 : 0,
    },
    created_at: call.created_at,
  });
  await service.storage.usageLogs.insert(service.orgId, {
    ...{ id: call.id, call_id: call.id, agent_id: call.agent_id, agent_name: call.agent_name, business_name: null },
    ...{ duration_seconds: call.duration_seconds ?? 0, minutes_used: (call.duration_seconds ?? 0) / 60, cost },
    cost_breakdown: [
      ...(
        [
          ['elevenlabs', 'flash-v2.5', 'tts_characters', 'character', 0.48, 20_000],
          ['telephony', null, 'call_minutes', 'minute', 0.27, 70],
          ['deepgram', 'nova-3', 'stt_seconds', 'second', 0.18, 7_800],
          ['openai', 'gpt-4.1-mini', 'input_tokens', 'token', 0.07, 2_500_000],
        ] as const
      ).map(([provider, model, kind, unit, share, perUnit]) => ({
        ...{ provider, model, kind, unit, quantity: Math.round(cost * share * perUnit), price: cost * share },
        ...{ is_estimate: false, own_key: provider === 'openai' },
      })),
    ],
    ...{ phone_number: call.phone_number, call_type: 'phone', direction: call.direction, currency: null },
    ...{ publishable_key_id: null, created_at: call.created_at },
  });
}

/** The newest call, with its recording, events, webhooks and all that is measured. */
async function addWholeCall(service: ConsoleService, { nowMs, agents }: PastCalls): Promise<string> {
  const random = seededRandom(3);
  const atMs = nowMs - 1_320_000;
  const at = new Date(atMs).toISOString();
  const [agent] = agents[0] ?? [];
  const call = await service.addCall({
    ...{ id: uuidAt(atMs, random), created_at: at, updated_at: at, started_at: at, answered_at: at },
    ...{
      ended_at: new Date(atMs + durationSeconds * 1_000).toISOString(),
      recording_url: 'https://example.com/recording',
    },
    ...{ agent_id: agent?.id ?? null, agent_name: agent?.name ?? null, ...facts },
  });
  service.recordings.bytes.set(call.id, speechRecording(durationSeconds, parts));
  await service.addEvents(call, events);
  await addFigures(service, call, { latencyMs: 580, random });
  return call.id;
}
