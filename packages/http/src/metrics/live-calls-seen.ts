/** What is known of a call while it goes on. */
export interface LiveCallTimes {
  readonly direction: string;
  /** When each tool that runs was called, by the id of its call. */
  readonly toolsMs: Map<string, number>;
}

/** The calls that go on; each is forgotten at its end. */
export class LiveCallsSeen {
  readonly #calls = new Map<string, LiveCallTimes>();

  add(callId: string, direction: string): void {
    this.#calls.set(callId, { direction, toolsMs: new Map() });
  }

  /** False where nobody has seen it begin: another process ran it. */
  delete(callId: string): boolean {
    return this.#calls.delete(callId);
  }

  toolCalled(callId: string, toolCallId: string, nowMs: number): void {
    this.#calls.get(callId)?.toolsMs.set(toolCallId, nowMs);
  }

  /** How long the tool has run; null where that is not known. */
  toolSettled(callId: string, toolCallId: string, nowMs: number): number | null {
    const call = this.#calls.get(callId);
    const calledMs = call?.toolsMs.get(toolCallId);
    call?.toolsMs.delete(toolCallId);
    return calledMs === undefined ? null : nowMs - calledMs;
  }

  count(direction: string): number {
    let count = 0;
    for (const call of this.#calls.values()) if (call.direction === direction) count += 1;
    return count;
  }
}
