/** Direction and start times of tools of a call in progress. */
export interface SeenCall {
  readonly direction: string;
  /** Start time of each running tool, by tool call id. */
  readonly toolStartsMs: Map<string, number>;
}

/** The calls in progress of which this process saw the start. */
export class LiveCallsSeen {
  readonly #calls = new Map<string, SeenCall>();

  add(callId: string, direction: string): void {
    this.#calls.set(callId, { direction, toolStartsMs: new Map() });
  }

  /** Returns false for a call of which this process did not see the start. */
  delete(callId: string): boolean {
    return this.#calls.delete(callId);
  }

  toolCalled(callId: string, toolCallId: string, nowMs: number): void {
    this.#calls.get(callId)?.toolStartsMs.set(toolCallId, nowMs);
  }

  /** Returns the run time of a tool in milliseconds; null if its start was not seen. */
  toolSettled(callId: string, toolCallId: string, nowMs: number): number | null {
    const call = this.#calls.get(callId);
    const calledMs = call?.toolStartsMs.get(toolCallId);
    call?.toolStartsMs.delete(toolCallId);
    return calledMs === undefined ? null : nowMs - calledMs;
  }

  count(direction: string): number {
    let count = 0;
    for (const call of this.#calls.values()) if (call.direction === direction) count += 1;
    return count;
  }
}
