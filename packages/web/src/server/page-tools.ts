import type { DisplayedToolCall, ToolOutcome } from '@va/core/adapter';
import type { DownMessage } from '../protocol/messages.ts';

/** Tool calls that run in the page. Each gets one outcome. */
export class PageTools {
  readonly #send: (message: DownMessage) => void;
  readonly #running = new Map<string, (outcome: ToolOutcome) => void>();

  constructor(send: (message: DownMessage) => void) {
    this.#send = send;
  }

  run(call: DisplayedToolCall, signal: AbortSignal): Promise<ToolOutcome> {
    // A model may repeat an id while its first call runs: the page could not distinguish their results.
    this.settle(call.id, { ok: false, error: 'Another tool call with the same id replaced this one.' });
    return new Promise((resolve) => {
      const cancel = (): void => {
        this.#send({ type: 'tool-canceled', id: call.id });
        this.settle(call.id, { ok: false, error: 'The tool was canceled.' });
      };
      this.#running.set(call.id, (outcome) => {
        signal.removeEventListener('abort', cancel);
        resolve(outcome);
      });
      this.#send({ type: 'tool-call', id: call.id, name: call.name, arguments: call.arguments });
      if (signal.aborted) cancel();
      else signal.addEventListener('abort', cancel, { once: true });
    });
  }

  /** Sets the outcome of a tool call. Ignores unknown ids. */
  settle(id: string, outcome: ToolOutcome): void {
    const settle = this.#running.get(id);
    this.#running.delete(id);
    settle?.(outcome);
  }

  /** Fails all running tool calls when the call has ended. */
  abandon(): void {
    for (const id of [...this.#running.keys()])
      this.settle(id, { ok: false, error: 'The page disconnected before it returned a result.' });
  }
}
