import { meteredReply } from '../costs/metered-reply.ts';
import type { LlmConfig } from '../domain/agents/agent.ts';
import type { LanguageModel, LlmEvent, LlmRequest } from '../ports/providers/language-model.ts';
import {
  type Candidate,
  type ChainDependencies,
  candidates,
  noteFailure,
  sourceOf,
  timeoutOf,
  tooLate,
} from './chain.ts';
import type { Link, Links } from './link.ts';

type Ended = IteratorReturnResult<void>;
const ended: Ended = { done: true, value: undefined };

/**
 * Combines language models to one: if a model fails or times out before its first event, the next one is asked. Later
 * failures are passed on, because half a reply cannot be taken back. Each link of a chain uses its own settings and key
 * instead of those in the request.
 */
export function modelChain(links: Links<LanguageModel, LlmConfig>, deps: ChainDependencies): LanguageModel {
  const [first] = links;
  const { id } = first.provider;
  if (links.length > 1) return { kind: 'llm', id, stream: (request) => reply(links, request, deps) };
  if (deps.meter === undefined) return first.provider;
  return { kind: 'llm', id, stream: (request) => streamOf(first, request, deps) };
}

/** Streams the reply of one link and counts its tokens. */
function streamOf(
  link: Link<LanguageModel, LlmConfig>,
  request: LlmRequest,
  deps: ChainDependencies,
): AsyncIterable<LlmEvent> {
  const { meter } = deps;
  const events = link.provider.stream(request);
  return meter === undefined ? events : meteredReply(events, request, { meter, source: sourceOf(link, deps) });
}

async function* reply(
  links: Links<LanguageModel, LlmConfig>,
  request: LlmRequest,
  deps: ChainDependencies,
): AsyncGenerator<LlmEvent, void, undefined> {
  let failure: unknown;
  for (const candidate of candidates(links, 0, deps)) {
    const stream = new LinkReply(candidate, request, deps);
    try {
      for (let next = await stream.first(); next.done !== true; next = await stream.next()) yield next.value;
      stream.completed();
      return;
    } catch (thrown) {
      if (request.signal.aborted) return;
      stream.failed(thrown);
      if (stream.hasBegun) throw thrown;
      failure = thrown;
      noteFailure(candidate.link.provider, thrown, deps);
    } finally {
      stream.letGo();
    }
  }
  throw failure;
}

/** The reply of one link. */
class LinkReply {
  readonly #candidate: Candidate<LanguageModel, LlmConfig>;
  readonly #request: LlmRequest;
  readonly #deps: ChainDependencies;
  readonly #abort = new AbortController();
  readonly #onAbort = (): void => this.#abort.abort();
  #events: AsyncIterator<LlmEvent> | null = null;
  #isOver = false;
  hasBegun = false;

  constructor(candidate: Candidate<LanguageModel, LlmConfig>, request: LlmRequest, deps: ChainDependencies) {
    this.#candidate = candidate;
    this.#request = request;
    this.#deps = deps;
    if (request.signal.aborted) this.#abort.abort();
    else request.signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  async first(): Promise<IteratorResult<LlmEvent, void>> {
    const { provider, config } = this.#candidate.link;
    const { apiKey: _, ...request } = this.#request;
    const key = this.#deps.keys.of(provider);
    const own = { ...request, ...key, config, signal: this.#abort.signal };
    const events = streamOf(this.#candidate.link, own, this.#deps)[Symbol.asyncIterator]();
    this.#events = events;
    const first = await this.#inTime(events.next());
    this.hasBegun = first.done !== true;
    return first;
  }

  async next(): Promise<IteratorResult<LlmEvent, void>> {
    return (await this.#events?.next()) ?? ended;
  }

  completed(): void {
    this.#isOver = true;
    if (this.#request.signal.aborted && !this.hasBegun) this.#candidate.attempt.abandoned();
    else this.#candidate.attempt.succeeded();
  }

  failed(thrown: unknown): void {
    this.#candidate.attempt.failed(thrown);
  }

  /** Releases the link's stream, also if the reader stopped midway. */
  letGo(): void {
    this.#request.signal.removeEventListener('abort', this.#onAbort);
    if (this.hasBegun) this.#candidate.attempt.succeeded();
    else this.#candidate.attempt.abandoned();
    if (this.#isOver) return;
    this.#abort.abort();
    // Not awaited: a stream that ignores the signal may hang.
    this.#events?.return?.().catch(() => {});
  }

  /** Waits until the timeout or the abort of the request at most. */
  #inTime(next: Promise<IteratorResult<LlmEvent, void>>): Promise<IteratorResult<LlmEvent, void>> {
    const { clock } = this.#deps;
    const { signal } = this.#abort;
    const { provider } = this.#candidate.link;
    return new Promise((resolve, reject) => {
      const finish = (settle: () => void): void => {
        timer.cancel();
        signal.removeEventListener('abort', stop);
        settle();
      };
      const stop = (): void => finish(() => resolve(ended));
      const late = (): void => finish(() => reject(tooLate(provider, 'nothing of a reply came', this.#deps)));
      const timer = clock.setTimer(timeoutOf(this.#deps), late);
      signal.addEventListener('abort', stop, { once: true });
      next.then(
        (result) => finish(() => resolve(result)),
        (thrown) => finish(() => reject(thrown)),
      );
    });
  }
}
