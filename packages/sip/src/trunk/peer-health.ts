import { toError } from '@va/core/adapter';
import { TimerSlot } from '@va/media';
import type { SessionContext } from '../dialog/session/session-context.ts';
import type { SipResponse } from '../message/message.ts';
import type { NameAddr } from '../message/name-addr.ts';
import type { Target } from '../transport/transport-layer.ts';
import { StandaloneRequests } from './standalone-request.ts';

export interface PeerHealthOptions {
  /** Request-URI of the probe, such as `sip:example.com`. */
  readonly uri: string;
  /** From address of the probe. */
  readonly from: NameAddr;
  /** Returns the peer's targets, best first. The peer is up as long as one of them responds. */
  readonly targets: () => Promise<readonly Target[]>;
  /** Default: 30 s. */
  readonly intervalMs?: number | undefined;
  /** Time limit of a response. Default: 4 s. */
  readonly timeoutMs?: number | undefined;
  /** Number of consecutive failures after which the peer is down. Default: two, because a datagram may be lost. */
  readonly downAfter?: number | undefined;
}

/** Result of the last probe. */
interface PeerCheck {
  /** By the wall clock. */
  readonly atMs: number;
  /** Null if it failed. */
  readonly roundTripMs: number | null;
  /** Null if the peer responded. */
  readonly reason: string | null;
}

export interface PeerHealthListener {
  /** The peer responded, for the first time or after being down. */
  onUp(): void;
  onDown(message: string): void;
  /** The peer is down; called again for each further failure. */
  onStillDown?(): void;
}

const defaultIntervalMs = 30_000;
const defaultTimeoutMs = 4_000;
const defaultDownAfter = 2;

/**
 * Probes a peer periodically with OPTIONS. Any response except 408 and 503 counts as success, even a rejection of the
 * method.
 * @see RFC 3261 §11
 */
export class PeerHealth {
  readonly #context: SessionContext;
  readonly #options: PeerHealthOptions;
  readonly #listener: PeerHealthListener;
  readonly #requests: StandaloneRequests;
  readonly #timer: TimerSlot;
  #state: 'unknown' | 'up' | 'down' = 'unknown';
  #failures = 0;
  #stopped = false;
  #check: PeerCheck | null = null;
  /** Start of the present state, by the wall clock. */
  #sinceMs: number | null = null;

  constructor(context: SessionContext, options: PeerHealthOptions, listener: PeerHealthListener) {
    this.#context = context;
    this.#options = options;
    this.#listener = listener;
    this.#requests = new StandaloneRequests(context, options.from, { ...emptyAddress, uri: options.uri });
    this.#timer = new TimerSlot(context.clock);
    void this.#run();
  }

  /** `unknown` until the peer has responded once, or has failed `downAfter` times. */
  get state(): 'unknown' | 'up' | 'down' {
    return this.#state;
  }

  /** Null before the first result. */
  get check(): PeerCheck | null {
    return this.#check;
  }

  /** Null while the state is unknown. */
  get sinceMs(): number | null {
    return this.#sinceMs;
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  stop(): void {
    this.#stopped = true;
    this.#timer.clear();
    this.#requests.cancel();
  }

  async #run(): Promise<void> {
    const { clock } = this.#context;
    const askedMs = clock.nowMs();
    const why = await this.#ask();
    if (this.#stopped) return;
    const roundTripMs = why === null ? Math.round(clock.nowMs() - askedMs) : null;
    const atMs = clock.wallMs();
    this.#check = { atMs, roundTripMs, reason: why };
    this.#timer.set(this.#options.intervalMs ?? defaultIntervalMs, () => void this.#run());
    if (why === null) this.#onAnswer(atMs);
    else this.#onFailure(why, atMs);
  }

  /** Sends a probe. Returns null when the peer can take calls, else the reason. */
  async #ask(): Promise<string | null> {
    const { uri, timeoutMs = defaultTimeoutMs } = this.#options;
    let why = 'The peer has no address.';
    try {
      for (const target of await this.#options.targets()) {
        const flow = this.#stopped ? null : this.#context.flowTo(target);
        if (flow === null) why = `No ${target.transport} socket of this address family is open.`;
        else {
          const headers: [string, string][] = [['Accept', 'application/sdp']];
          const reply = await this.#requests.ask({ method: 'OPTIONS', uri, flow, timeoutMs, headers });
          if (canServe(reply)) return null;
          why = typeof reply === 'string' ? reply : `${reply.status} ${reply.reason}`;
        }
      }
    } catch (thrown) {
      why = toError(thrown).message;
    }
    return why;
  }

  #onAnswer(atMs: number): void {
    this.#failures = 0;
    if (this.#state === 'up') return;
    this.#state = 'up';
    this.#sinceMs = atMs;
    this.#listener.onUp();
  }

  #onFailure(why: string, atMs: number): void {
    this.#failures += 1;
    if (this.#state === 'down') this.#listener.onStillDown?.();
    if (this.#state === 'down' || this.#failures < (this.#options.downAfter ?? defaultDownAfter)) return;
    this.#state = 'down';
    this.#sinceMs = atMs;
    this.#listener.onDown(why);
  }
}

const emptyAddress: NameAddr = { displayName: null, uri: '', params: new Map() };

/** Returns whether the peer can take calls. A proxy responds 408 for a peer that it cannot reach. */
function canServe(reply: SipResponse | string): boolean {
  return typeof reply !== 'string' && reply.status !== 503 && reply.status !== 408;
}
