import type { VendorFields } from '../shared/json.ts';
import type { ToolCall } from './message.ts';
import { responseOf } from './setup.ts';

/** Tool calls of the model, and their results until the next response: results request a response by themselves. */
export class ToolResults {
  /** Names of the tool calls without a result, by id. */
  readonly #calls = new Map<string, string>();
  #results: VendorFields[] = [];

  /** Adds a tool call; returns false if it already waits for its result. */
  called({ id, name }: ToolCall): boolean {
    if (this.#calls.has(id)) return false;
    this.#calls.set(id, name);
    return true;
  }

  /** Adds the result of a tool call; returns false if the call does not wait for one. */
  add(callId: string, output: string): boolean {
    const name = this.#calls.get(callId);
    if (name === undefined) return false;
    this.#calls.delete(callId);
    this.#results.push(responseOf(callId, name, output));
    return true;
  }

  /** Drops tool calls and their results, because the service accepts no results of these calls. */
  cancel(ids: readonly string[]): void {
    for (const id of ids) this.#calls.delete(id);
    this.#results = this.#results.filter(({ id }) => !ids.includes(String(id)));
  }

  take(): readonly VendorFields[] {
    const results = this.#results;
    this.#results = [];
    return results;
  }
}
