import type { LanguageModel, LlmEvent, LlmRequest } from '@va/core/adapter';
import { isScriptedLlm } from '../scripted/scripted-llm.ts';
import type { OutsideWork } from './outside-work.ts';

/** Wraps the agent's model under the name that the agent uses, and tracks whether it is generating. */
export class WatchedModel implements LanguageModel {
  readonly kind = 'llm';
  readonly id: string;
  readonly requests: Pick<LlmRequest, 'messages' | 'tools'>[] = [];
  readonly #model: LanguageModel;
  readonly #work: OutsideWork;
  #thinking = 0;

  constructor(id: string, model: LanguageModel, work: OutsideWork) {
    this.id = id;
    this.#model = model;
    this.#work = work;
  }

  get isThinking(): boolean {
    return this.#thinking > 0;
  }

  async *stream(request: LlmRequest): AsyncGenerator<LlmEvent, void, undefined> {
    const { messages, tools, signal } = request;
    this.requests.push({ messages, tools });
    const events = this.#model.stream(request)[Symbol.asyncIterator]();
    this.#thinking += 1;
    let isOver = false;
    const stop = (): void => {
      if (!isOver) this.#thinking -= 1;
      isOver = true;
    };
    signal.addEventListener('abort', stop, { once: true });
    try {
      for (;;) {
        const next = isScriptedLlm(this.#model) ? await events.next() : await this.#inTime(events.next(), signal);
        if (next.done === true) return;
        yield next.value;
      }
    } finally {
      signal.removeEventListener('abort', stop);
      stop();
      await events.return?.();
    }
  }

  /**
   * Waits for the next event as work that takes real time. Ends at once when the request is aborted, even if the
   * adapter ignores the signal.
   */
  async #inTime(
    next: Promise<IteratorResult<LlmEvent, void>>,
    signal: AbortSignal,
  ): Promise<IteratorResult<LlmEvent, void>> {
    const aborted = new Promise<IteratorResult<LlmEvent, void>>((resolve) => {
      const stop = (): void => resolve({ done: true, value: undefined });
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true });
    });
    return await this.#work.during(Promise.race([next, aborted]));
  }
}
