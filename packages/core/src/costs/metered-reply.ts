import type { LlmEvent, LlmRequest } from '../ports/providers/language-model.ts';
import { estimateMessageTokens, estimateTokens } from './estimate-tokens.ts';
import type { UsageMeter } from './usage-meter.ts';
import type { UsageSource } from './usage-source.ts';

/** Meter to which usage is added, and the source of that usage. */
export interface MeteredSource {
  readonly meter: UsageMeter;
  readonly source: UsageSource;
}

/**
 * Counts the tokens of a reply: those that the provider reports, or an estimate if it reports none, because the
 * request was cancelled, failed after its first output, or the provider does not count. A request that fails without
 * output counts nothing.
 */
export function meteredReply(
  events: AsyncIterable<LlmEvent>,
  request: LlmRequest,
  to: MeteredSource,
): AsyncIterable<LlmEvent> {
  return { [Symbol.asyncIterator]: () => new MeteredReply(events[Symbol.asyncIterator](), request, to) };
}

class MeteredReply implements AsyncIterator<LlmEvent, void, undefined> {
  readonly #events: AsyncIterator<LlmEvent, void, undefined>;
  readonly #request: LlmRequest;
  readonly #to: MeteredSource;
  readonly #onAbort = (): void => this.#settle();
  #output = '';
  #isSettled = false;

  constructor(events: AsyncIterator<LlmEvent, void, undefined>, request: LlmRequest, to: MeteredSource) {
    this.#events = events;
    this.#request = request;
    this.#to = to;
    request.signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  async next(): Promise<IteratorResult<LlmEvent, void>> {
    try {
      const result = await this.#events.next();
      if (result.done === true) this.#settle();
      else this.#note(result.value);
      return result;
    } catch (thrown) {
      if (this.#output === '') this.#end();
      else this.#settle();
      throw thrown;
    }
  }

  async return(): Promise<IteratorResult<LlmEvent, void>> {
    this.#settle();
    await this.#events.return?.();
    return { done: true, value: undefined };
  }

  #note(event: LlmEvent): void {
    if (event.type === 'text') this.#output += event.text;
    else if (event.type === 'tool-call') this.#output += event.call.name + event.call.arguments;
    else if (!this.#isSettled) {
      this.#end();
      this.#to.meter.addModelUsage(this.#to.source, event.usage);
    }
  }

  /**
   * Adds an estimate unless the usage is counted already. The input counts even if the reply was not awaited, because
   * the provider got the request.
   */
  #settle(): void {
    if (this.#isSettled) return;
    this.#end();
    const { messages, tools } = this.#request;
    const read = messages.reduce((sum, message) => sum + estimateMessageTokens(message), 0);
    const inputTokens = read + (tools.length === 0 ? 0 : estimateTokens(JSON.stringify(tools)));
    const usage = { inputTokens, outputTokens: estimateTokens(this.#output) };
    this.#to.meter.addModelUsage(this.#to.source, usage, true);
  }

  #end(): void {
    this.#isSettled = true;
    this.#request.signal.removeEventListener('abort', this.#onAbort);
  }
}
