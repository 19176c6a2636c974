import { sourceKey } from '@va/core/adapter';
import type { Flow } from './flow.ts';

/** Resources that untrusted sources may occupy at once. A source is an IPv4 address or the /64 of an IPv6 address. */
export interface UntrustedSourceLimitOptions {
  /**
   * Pending requests of one source. Default: 200. Over UDP a request is pending for 32 s after its response (RFC 3261
   * §17.2), so that this is about six a second.
   */
  readonly requests?: number;
  /** Pending requests of all such sources together. Default: 4,000, which take about 32 MB. */
  readonly requestsInAll?: number;
  /** Calls of one source. Default: 10. */
  readonly calls?: number;
}

const defaultRequests = 200;
const defaultRequestsInAll = 4_000;
const defaultCalls = 10;

type LimitedResource = 'requests' | 'calls';

interface Usage {
  requests: number;
  calls: number;
}

/** Releases what a source occupied. */
export type Release = () => void;

/**
 * Counts the resources of untrusted sources. A source is stored only while it occupies something, so that memory is
 * bounded by `requestsInAll` and the calls, however many addresses are forged.
 */
export class UntrustedSourceLimits {
  readonly #limits: Readonly<Usage>;
  readonly #maxRequestsInAll: number;
  readonly #isTrusted: (flow: Flow) => boolean;
  readonly #usages = new Map<string, Usage>();
  #requestsInAll = 0;

  constructor(options: UntrustedSourceLimitOptions, isTrusted: (flow: Flow) => boolean) {
    this.#limits = { requests: options.requests ?? defaultRequests, calls: options.calls ?? defaultCalls };
    this.#maxRequestsInAll = options.requestsInAll ?? defaultRequestsInAll;
    this.#isTrusted = isTrusted;
  }

  /** Number of sources that occupy something. */
  get sources(): number {
    return this.#usages.size;
  }

  /** Reserves a request; returns null at the limit, when the request is to be dropped. */
  takeRequest(flow: Flow): Release | null {
    if (this.#isTrusted(flow)) return () => {};
    if (this.#requestsInAll >= this.#maxRequestsInAll) return null;
    const release = this.#take(flow, 'requests');
    if (release === null) return null;
    this.#requestsInAll += 1;
    return () => {
      this.#requestsInAll -= 1;
      release();
    };
  }

  /** Reserves a call; returns null at the limit, when the call is to be rejected. */
  takeCall(flow: Flow): Release | null {
    return this.#isTrusted(flow) ? () => {} : this.#take(flow, 'calls');
  }

  #take(flow: Flow, kind: LimitedResource): Release | null {
    const key = sourceKey(flow.remote.address);
    const usage = this.#usages.get(key) ?? { requests: 0, calls: 0 };
    if (usage[kind] >= this.#limits[kind]) return null;
    usage[kind] += 1;
    this.#usages.set(key, usage);
    return () => {
      usage[kind] -= 1;
      if (usage.requests === 0 && usage.calls === 0) this.#usages.delete(key);
    };
  }
}
