/** The part of the conversation that the model gets. The transcript keeps all of it. */
export interface ContextWindow {
  /** First entry that is sent as it is; of earlier ones only injected messages are sent. */
  readonly from: number;
  /** Summary of the entries before `summarizedTo`. If that is less than `from`, the entries between are left out. */
  readonly summary: string | null;
  readonly summarizedTo: number;
  readonly summarizing: Summarizing | null;
  /** Number of entries when the last summary failed. */
  readonly failedAt: number | null;
}

/** A summary that the model is writing. */
export interface Summarizing {
  readonly generation: number;
  readonly sinceMs: number;
  /** First entry that it does not cover. */
  readonly to: number;
  readonly text: string;
}

export const wholeConversation: ContextWindow = {
  from: 0,
  summary: null,
  summarizedTo: 0,
  summarizing: null,
  failedAt: null,
};
