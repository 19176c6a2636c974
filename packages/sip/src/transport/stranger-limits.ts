import type { Flow } from './flow.ts';
import { sourceKey } from './source-key.ts';

/** What sources that are not trusted may occupy at once. A source is an IPv4 address or the /64 of an IPv6 address. */
export interface StrangerLimitOptions {
  /**
   * Requests of one source under way: 200 by default. Over UDP a request is under way for 32 s after its answer
   * (RFC 3261 §17.2), so that this is about six a second.
   */
  readonly requests?: number;
  /** Requests under way of all such sources together: 4,000 by default, which take about 32 MB. */
  readonly requestsInAll?: number;
  /** Calls of one source: 10 by default. */
  readonly calls?: number;
}

const defaultRequests = 200;
const defaultRequestsInAll = 4_000;
const defaultCalls = 10;

type Kind = 'requests' | 'calls';

interface Usage {
  requests: number;
  calls: number;
}

/** Gives back what a source occupied. */
export type Release = () => void;

/**
 * Counts what sources that are not trusted occupy. A source is held only while it occupies something, so that memory is
 * bounded by `requestsInAll` and the calls, however many addresses are forged.
 */
export class StrangerLimits {
  readonly #most: Readonly<Usage>;
  readonly #mostInAll: number;
  readonly #isTrusted: (flow: Flow) => boolean;
  readonly #usages = new Map<string, Usage>();
  #requestsInAll = 0;

  constructor(options: StrangerLimitOptions, isTrusted: (flow: Flow) => boolean) {
    this.#most = { requests: options.requests ?? defaultRequests, calls: options.calls ?? defaultCalls };
    this.#mostInAll = options.requestsInAll ?? defaultRequestsInAll;
    this.#isTrusted = isTrusted;
  }

  /** Sources that occupy something. */
  get sources(): number {
    return this.#usages.size;
  }

  /** Takes the room for a request; null when there is none, and the request is to be dropped. */
  takeRequest(flow: Flow): Release | null {
    if (this.#isTrusted(flow)) return () => {};
    if (this.#requestsInAll >= this.#mostInAll) return null;
    const release = this.#take(flow, 'requests');
    if (release === null) return null;
    this.#requestsInAll += 1;
    return () => {
      this.#requestsInAll -= 1;
      release();
    };
  }

  /** Takes the room for a call; null when there is none, and the call is to be refused. */
  takeCall(flow: Flow): Release | null {
    return this.#isTrusted(flow) ? () => {} : this.#take(flow, 'calls');
  }

  #take(flow: Flow, kind: Kind): Release | null {
    const key = sourceKey(flow.remote.address);
    const usage = this.#usages.get(key) ?? { requests: 0, calls: 0 };
    if (usage[kind] >= this.#most[kind]) return null;
    usage[kind] += 1;
    this.#usages.set(key, usage);
    return () => {
      usage[kind] -= 1;
      if (usage.requests === 0 && usage.calls === 0) this.#usages.delete(key);
    };
  }
}
