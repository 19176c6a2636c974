import type { Call, CallEventContent } from '@va/core';
import type { Spoken } from './recording.ts';

/** The conversation of the call that is shown in full. */
type Event = CallEventContent & { readonly atSeconds: number };

export const durationSeconds = 74;

type Turn = NonNullable<Call['latency']>['turns'][number];

const turn = (total: number, endpointing: number, token: number, voice: number): Turn => ({
  total_ms: total,
  endpointing_ms: endpointing,
  stt_final_ms: 90,
  first_audio_ms: total - 20,
  llm_first_token_ms: token,
  tts_first_byte_ms: voice,
});

const turns = [turn(612, 240, 208, 96), turn(548, 210, 186, 92), turn(705, 260, 274, 101), turn(480, 180, 172, 88)];

const [first, second, third, last] = turns;

export const parts: readonly Spoken[] = [
  { by: 'agent', from: 0.8, to: 5.2 },
  { by: 'caller', from: 6, to: 10.6 },
  { by: 'agent', from: 11.2, to: 15.8 },
  { by: 'caller', from: 16.4, to: 18.9 },
  { by: 'agent', from: 21.4, to: 28.2 },
  { by: 'caller', from: 27.9, to: 31.5 },
  { by: 'agent', from: 32.2, to: 37.6 },
  { by: 'caller', from: 38.6, to: 44.3 },
  { by: 'agent', from: 47.2, to: 57.9 },
  { by: 'caller', from: 59, to: 62.4 },
  { by: 'agent', from: 63, to: 71.5 },
];

const agent = (atSeconds: number, content: string, unheard?: string): Event => ({
  ...{ atSeconds, type: 'transcript' },
  data: { role: 'assistant', content, interrupted: unheard !== undefined, ...(unheard !== undefined && { unheard }) },
});
const caller = (atSeconds: number, content: string): Event => ({
  ...{ atSeconds, type: 'transcript', data: { role: 'user', content } },
});
const latency = (atSeconds: number, data: Turn | undefined): Event[] =>
  data === undefined ? [] : [{ atSeconds, type: 'latency', data }];

export const events: readonly Event[] = [
  { atSeconds: 0, type: 'status', data: { status: 'in-progress', end_reason: null, error: null } },
  agent(5.2, 'Good morning, Northside Dental, this is Anna. How can I help you?'),
  caller(10.6, 'Hi, I have a checkup next Tuesday and I need to move it to another day.'),
  ...latency(11.2, first),
  agent(15.8, 'Of course. May I have your date of birth, so that I find the appointment?'),
  caller(18.9, 'The fourth of May, nineteen eighty-eight.'),
  {
    atSeconds: 19,
    type: 'tool-call',
    data: { id: 'find', name: 'find_appointment', arguments: { born: '1988-05-04' } },
  },
  {
    atSeconds: 20.6,
    type: 'tool-result',
    data: {
      ...{ id: 'find', name: 'find_appointment', ok: true },
      result: { patient: 'M. Jansen', at: '2026-03-17T09:30', kind: 'checkup' },
    },
  },
  ...latency(21.4, second),
  agent(
    28.2,
    'Thank you, Mr Jansen. I see your checkup on Tuesday the seventeenth at half past nine. I could offer you',
    'Wednesday at eleven, or Thursday at a quarter past two.',
  ),
  caller(31.5, 'Sorry, only mornings work for me, best on a Thursday or Friday.'),
  ...latency(32.2, third),
  agent(37.6, 'Mornings, then. Would Friday the twentieth at ten suit you?'),
  caller(44.3, 'Friday at ten is perfect. Could you also send me a reminder by text?'),
  {
    atSeconds: 44.5,
    type: 'tool-call',
    data: { id: 'move', name: 'move_appointment', arguments: { to: '2026-03-20T10:00', reminder: 'sms' } },
  },
  {
    atSeconds: 46.4,
    type: 'tool-result',
    data: { id: 'move', name: 'move_appointment', ok: true, result: { done: true } },
  },
  ...latency(47.2, last),
  agent(57.9, 'Done: your checkup is now on Friday the twentieth of March at ten, and you get a text the day before.'),
  caller(62.4, 'Great, thank you. That is all.'),
  agent(71.5, 'You are welcome, Mr Jansen. See you on Friday the twentieth. Goodbye.'),
  { atSeconds: durationSeconds, type: 'status', data: { status: 'ended', end_reason: 'agent_hangup', error: null } },
];

export const facts: Partial<Call> = {
  duration_seconds: durationSeconds,
  end_reason: 'agent_hangup',
  caller_phone: '+31612003487',
  summary:
    'Mr Jansen moved his checkup from Tuesday 17 March to Friday 20 March at 10:00, and asked for a reminder by text.',
  analysis_status: 'completed',
  analysis_result: { reason: 'reschedule', appointment_moved: true, new_time: '2026-03-20T10:00', reminder: 'sms' },
  latency: { turns, total_ms: { p50: 580, p95: 705 }, interruptions_ms: [184] },
  cost: 0.0521,
  cost_breakdown: [
    ...(
      [
        ['deepgram', 'nova-3', 'stt_seconds', 74, 'second', 0.0095],
        ['openai', 'gpt-4.1-mini', 'input_tokens', 6_120, 'token', 0.0024],
        ['openai', 'gpt-4.1-mini', 'output_tokens', 214, 'token', 0.0003],
        ['elevenlabs', 'flash-v2.5', 'tts_characters', 498, 'character', 0.0249],
        ['telephony', null, 'call_minutes', 1.23, 'minute', 0.015],
      ] as const
    ).map(([provider, model, kind, quantity, unit, price]) => ({
      ...{ provider, model, kind, quantity, unit, price, is_estimate: false, own_key: provider === 'openai' },
    })),
  ],
  media: {
    received: { packets: 3_702, packets_lost: 3, packets_dropped: 0, jitter_ms: 4 },
    sent: { packets: 3_690, packets_lost: 1, jitter_ms: 6 },
    round_trip_ms: 38,
  },
  variables: { clinic: 'Northside', opening_hours: '08:00 to 17:30' },
};
