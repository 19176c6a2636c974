import type { Agent, CallDirection, CallLatency, CallMedia, CostItem, EndReason, PhoneNumber } from '@va/core';
import type { CallRecord, Clock } from '@va/core/adapter';
import { uuidv7 } from '@va/core/adapter';
import { terminalStatus } from '../../../packages/core/src/calls/ending.ts';
import { newCallRecord } from '../../../packages/core/src/calls/record/call-record.ts';
import { statisticsOf } from '../../../packages/core/src/calls/record/call-statistics.ts';
import { callLatency } from '../../../packages/core/src/conversation/agent-turn/latency.ts';
import { costFields } from '../../../packages/core/src/costs/cost-breakdown.ts';
import type { CallStatisticsRecord } from '../../../packages/core/src/domain/calls/call-statistics.ts';
import { Random, Weighted } from './random.ts';
import { transcriptOf } from './transcripts.ts';

/** Origin of the calls of one kind. */
export interface CallSource {
  readonly agent: Agent;
  /** Null for web calls. */
  readonly number: PhoneNumber | null;
  readonly campaignId: string | null;
  readonly direction: CallDirection;
  /** Share of the calls, relative to the other sources. */
  readonly weight: number;
}

export interface SeededCall {
  readonly call: CallRecord;
  readonly statistics: CallStatisticsRecord;
}

const callers = 300_000;

const endReasons: Readonly<Record<CallDirection, Weighted<EndReason>>> = {
  inbound: weighted({
    user_hangup: 55,
    agent_hangup: 30,
    transferred: 6,
    silence_timeout: 4,
    caller_abandoned: 2,
    max_duration: 1,
    llm_error: 1,
    transport_error: 1,
  }),
  outbound: weighted({
    user_hangup: 35,
    no_answer: 22,
    agent_hangup: 20,
    voicemail: 12,
    busy: 5,
    declined: 3,
    invalid_destination: 2,
    dial_failed: 1,
  }),
  web: weighted({ user_hangup: 80, agent_hangup: 12, silence_timeout: 7, tts_error: 1 }),
};

const unanswered: ReadonlySet<EndReason> = new Set<EndReason>([
  'no_answer',
  'busy',
  'declined',
  'invalid_destination',
  'dial_failed',
  'caller_abandoned',
]);

/** Creates the records of ended calls, in the form in which the service stores them. */
export class CallRecords {
  readonly #random: Random;
  readonly #sources: Weighted<CallSource>;

  constructor(sources: readonly CallSource[], seed: number) {
    this.#random = new Random(seed);
    this.#sources = new Weighted(sources.map((source) => [source, source.weight]));
  }

  /** @param n number of the call within its organization */
  next(n: number, createdAtMs: number): SeededCall {
    const random = this.#random;
    const { agent, number, campaignId, direction } = this.#sources.pick(random);
    const clock: Clock = clockAt(createdAtMs);
    const bytes = (size: number): Uint8Array<ArrayBuffer> => random.bytes(size);
    const id = uuidv7(clock, bytes);
    const reason = endReasons[direction].pick(random);
    const isAnswered = !unanswered.has(reason);
    const turns = isAnswered ? random.integer(1, 6) : 0;
    const durationSeconds = isAnswered ? 10 + turns * random.integer(8, 25) : 0;
    const answeredAtMs = createdAtMs + random.integer(500, 9_000);
    const endedAtMs = answeredAtMs + durationSeconds * 1_000;
    const latency = isAnswered ? latencyOf(random, turns) : null;
    const messages = isAnswered ? transcriptOf(random, n, turns) : [];
    const call: CallRecord = {
      ...newCallRecord({ id, direction, number, agent, clock }),
      caller_phone: direction === 'web' ? null : `+316${String(random.integer(0, callers - 1)).padStart(8, '0')}`,
      campaign_id: campaignId,
      lead_id: campaignId === null ? null : uuidv7(clock, bytes),
      status: terminalStatus(reason),
      started_at: timeOf(createdAtMs),
      answered_at: isAnswered ? timeOf(answeredAtMs) : null,
      ended_at: timeOf(endedAtMs),
      duration_seconds: durationSeconds,
      end_reason: reason,
      error: reason.endsWith('_error') ? 'The provider closed the connection.' : null,
      summary: isAnswered ? `The caller asked: ${messages[1]?.content ?? ''}` : null,
      analysis_status: isAnswered ? 'completed' : null,
      messages,
      transfer_destination: reason === 'transferred' ? '+31201112233' : null,
      latency,
      media: isAnswered && direction !== 'web' ? mediaOf(random, durationSeconds) : null,
      ...(isAnswered && costFields(costsOf(random, turns, durationSeconds))),
      updated_at: timeOf(endedAtMs + 3_000),
      node_id: null,
      webhook_sequence: 0,
      reserved_seconds: null,
    };
    const tools = isAnswered && random.chance(0.2) ? random.integer(1, 3) : 0;
    const statistics = statisticsOf(call, { tool_calls: tools, failed_tools: random.chance(0.05) ? tools : 0 });
    if (statistics === null) throw new Error('A seeded call has not ended.');
    return { call, statistics };
  }
}

function weighted(weights: Readonly<Partial<Record<EndReason, number>>>): Weighted<EndReason> {
  return new Weighted(Object.entries(weights) as [EndReason, number][]);
}

function clockAt(ms: number): Clock {
  return { nowMs: () => ms, wallMs: () => ms, setTimer: () => ({ cancel() {} }), afterInput: (run) => run() };
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}

/** Latencies of a good deployment: most turns within a second, a few far longer. */
function latencyOf(random: Random, turns: number): CallLatency {
  const spans = Array.from({ length: turns }, () => {
    const endpointing = random.integer(200, 500);
    const firstToken = random.integer(150, 450);
    const firstByte = random.integer(80, 200) + (random.chance(0.03) ? random.integer(1_000, 6_000) : 0);
    return {
      total_ms: endpointing + firstToken + firstByte + 12.5,
      endpointing_ms: endpointing,
      stt_final_ms: random.integer(60, 200),
      first_audio_ms: endpointing + firstToken + firstByte,
      llm_first_token_ms: firstToken,
      tts_first_byte_ms: firstByte,
    };
  });
  const interruptionsMs = Array.from({ length: random.chance(0.3) ? 1 : 0 }, () => random.integer(150, 400));
  return callLatency({ turns: spans, interruptionsMs, prepared: { made: turns, used: Math.floor(turns / 2) } });
}

function mediaOf(random: Random, durationSeconds: number): CallMedia {
  const packets = durationSeconds * 50;
  return {
    received: {
      ...{ packets, packets_lost: random.integer(0, 20), packets_dropped: random.integer(0, 5) },
      jitter_ms: random.integer(5, 90) / 10,
    },
    sent: { packets, packets_lost: random.integer(0, 10), jitter_ms: random.integer(5, 90) / 10 },
    round_trip_ms: random.integer(20, 120),
  };
}

function costsOf(random: Random, turns: number, durationSeconds: number): CostItem[] {
  const item = (
    fields: Pick<CostItem, 'provider' | 'model' | 'kind' | 'quantity' | 'unit'>,
    each: number,
  ): CostItem => ({
    ...fields,
    price: Math.round(fields.quantity * each * 1e6) / 1e6,
    ...{ is_estimate: false, own_key: false },
  });
  const model = { provider: 'openai', model: 'gpt-4.1-mini', unit: 'token' } as const;
  const characters = turns * random.integer(40, 110);
  const speech = { provider: 'elevenlabs', model: 'flash', kind: 'tts_characters', unit: 'character' } as const;
  const recognizer = { provider: 'deepgram', model: 'nova-3', kind: 'stt_seconds', unit: 'second' } as const;
  const telephony = { provider: 'telephony', model: null, kind: 'call_minutes', unit: 'minute' } as const;
  return [
    item({ ...model, kind: 'input_tokens', quantity: 400 + turns * random.integer(100, 400) }, 0.4e-6),
    item({ ...model, kind: 'output_tokens', quantity: turns * random.integer(20, 60) }, 1.6e-6),
    item({ ...recognizer, quantity: durationSeconds }, 0.0077 / 60),
    item({ ...speech, quantity: characters }, 50e-6),
    item({ ...telephony, quantity: Math.round((durationSeconds / 60) * 100) / 100 }, 0.01),
  ];
}
