import { z } from 'zod';

/**
 * Events that a conversation waits for: `caller`: the caller starts to speak; `end_of_turn`: the decision that the
 * caller's turn is over; `interruption`: the decision whether the caller interrupts the paused agent; `model` and
 * `voice`: the agent's text and its audio; `tool` and `transfer`: their outcome.
 */
export const liveWaits = ['caller', 'end_of_turn', 'interruption', 'model', 'voice', 'tool', 'transfer'] as const;
/** Event that a conversation waits for. */
export type LiveWait = (typeof liveWaits)[number];

const common = { call_id: z.uuid(), at: z.iso.datetime() };

/** An event of a live call, which is not stored. */
export const liveEventSchema = z.discriminatedUnion('type', [
  z.object({
    ...common,
    type: z.literal('state'),
    /** Holder of the floor: `thinking` until the first sound of the agent's reply. */
    state: z.enum(['listening', 'thinking', 'speaking']),
    caller_speaks: z.boolean(),
    /**
     * Null while the agent's speech plays, and while the caller speaks and the agent's turn has not begun. `transfer`
     * during a transfer, whoever speaks.
     */
    waits_for: z.enum(liveWaits).nullable(),
    /** Milliseconds from `at` after which the wait for the end of the turn is over; null for other waits. */
    remaining_ms: z.number().nullable(),
    /** Names of the tools that run. */
    tools: z.array(z.string()),
    is_muted: z.boolean(),
    /** True while a person speaks with the caller in the agent's place. */
    is_taken_over: z.boolean(),
  }),
  /** Words of the caller's turn so far, which may change; empty when the turn is over or its words were dropped. */
  z.object({ ...common, type: z.literal('partial-transcript'), role: z.literal('user'), content: z.string() }),
  /** The agent starts to speak this text. */
  z.object({ ...common, type: z.literal('agent-speech'), content: z.string() }),
  /** Loudness of both sides when it changes, every 400 ms at most: dB of the full scale, from 0 to -60 for silence. */
  z.object({ ...common, type: z.literal('levels'), caller_db: z.int(), agent_db: z.int() }),
]);

/** An event of a live call. It is not stored, and a later event of the same call and type replaces it. */
export type LiveEvent = z.infer<typeof liveEventSchema>;
/** The present state of a live conversation. */
export type LiveState = Extract<LiveEvent, { type: 'state' }>;
