import type { VendorFields } from '../shared/json.ts';
import type { ToolCall } from './message.ts';
import { responseOf } from './setup.ts';

/** Calls of the model, and their results until the next response: the results request one by themselves. */
export class ToolResults {
  /** Names of the calls without a result, by id. */
  readonly #calls = new Map<string, string>();
  #results: VendorFields[] = [];

  /** Returns false for a call that is already known. */
  called({ id, name }: ToolCall): boolean {
    if (this.#calls.has(id)) return false;
    this.#calls.set(id, name);
    return true;
  }

  /** Returns false if the call does not wait for a result. */
  add(callId: string, output: string): boolean {
    const name = this.#calls.get(callId);
    if (name === undefined) return false;
    this.#calls.delete(callId);
    this.#results.push(responseOf(callId, name, output));
    return true;
  }

  /** The service accepts no results of these calls. */
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
