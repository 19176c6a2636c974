import { type Timer, toError } from '@va/core/adapter';
import { TimerSlot } from '@va/media';
import { DigestClient, type DigestCredentials } from '../auth/digest-client.ts';
import { contactFor } from '../dialog/contact.ts';
import type { SessionContext } from '../dialog/session/session-context.ts';
import type { SipResponse } from '../message/message.ts';
import { type NameAddr, parseNameAddrs } from '../message/name-addr.ts';
import { readRetryAfterMs } from '../message/retry-after.ts';
import { parseUri } from '../message/uri.ts';
import type { Flow } from '../transport/flow.ts';
import type { Target } from '../transport/transport-layer.ts';
import { backoffMs } from './backoff.ts';
import { StandaloneRequests } from './standalone-request.ts';

export interface RegistrationOptions {
  /** The provider's domain as Request-URI, such as `sip:example.com`. */
  readonly registrar: string;
  /** Address of record. */
  readonly account: NameAddr;
  readonly credentials?: DigestCredentials | undefined;
  /** Requested lifetime of a registration; the provider may change it. Default: ten minutes. */
  readonly expiresSeconds?: number | undefined;
  /** Returns the registrar's targets, best first. Called for each refresh. */
  readonly targets: () => Promise<readonly Target[]>;
}

export type RegistrationState =
  | { readonly type: 'registering' }
  /** The account is registered: its calls arrive here. */
  | { readonly type: 'registered'; readonly expiresSeconds: number; readonly target: Target }
  /** The registration failed; it is retried automatically. `status` is null without a response. */
  | { readonly type: 'failed'; readonly status: number | null; readonly message: string; readonly retryInMs: number }
  | { readonly type: 'closed' };

const defaultExpiresSeconds = 600;
const leastRefreshMs = 1_000;
const longestRetryAfterMs = 3_600_000;
/** Maximum wait for the response to the de-registration. */
const closeTimeoutMs = 1_000;
/** Limit for a registrar that rejects every interval as too brief. */
const maxTooBrief = 2;

/**
 * Keeps an account registered at a provider, so that its calls arrive here: refreshes it before it expires, retries
 * with growing delays when it fails, and removes it at the end.
 * @see RFC 3261 §10
 */
export class Registration {
  readonly #context: SessionContext;
  readonly #options: RegistrationOptions;
  readonly #onChange: (state: RegistrationState) => void;
  readonly #requests: StandaloneRequests;
  readonly #digest: DigestClient | null;
  readonly #timer: TimerSlot;
  /** Calls for the account arrive on the flow of its registration. */
  #keepAlive: Timer | null = null;
  /** The local Contact that the registrar stores. */
  #bound: string | null = null;
  #wantedSeconds: number;
  #state: RegistrationState = { type: 'registering' };
  #failures = 0;
  #closed: Promise<void> | null = null;
  /** The attempt under way, or the last one. Resolves to the flow of a success after `close`, else to null. */
  #attempt: Promise<Flow | null>;
  /** Ends the wait of `close` for the attempt under way. */
  #giveUp: () => void = () => {};

  constructor(context: SessionContext, options: RegistrationOptions, onChange: (state: RegistrationState) => void) {
    const { account, credentials, expiresSeconds = defaultExpiresSeconds } = options;
    this.#context = context;
    this.#options = options;
    this.#onChange = onChange;
    this.#requests = new StandaloneRequests(context, account, account);
    this.#digest = credentials === undefined ? null : new DigestClient(credentials, context.random);
    this.#timer = new TimerSlot(context.clock);
    this.#wantedSeconds = expiresSeconds;
    this.#attempt = this.#run();
  }

  get state(): RegistrationState {
    return this.#state;
  }

  /** Removes the registration, waits briefly for the response, and stops. */
  close(): Promise<void> {
    this.#closed ??= this.#unregister();
    return this.#closed;
  }

  /** Stops without a message to the provider. */
  destroy(): void {
    this.#timer.clear();
    this.#closed ??= Promise.resolve();
    this.#giveUp();
    this.#requests.cancel();
    this.#become({ type: 'closed' });
  }

  #try(): void {
    this.#attempt = this.#run();
  }

  async #run(): Promise<Flow | null> {
    let last: SipResponse | string = 'The registrar has no address.';
    try {
      for (const target of await this.#options.targets()) {
        if (this.#closed !== null) return null;
        const flow = this.#context.flowTo(target);
        last =
          flow === null ? `No ${target.transport} socket of this address family is open.` : await this.#register(flow);
        if (this.#closed !== null) return typeof last !== 'string' && last.status < 300 ? flow : null;
        if (typeof last === 'string' || last.status >= 500 || last.status === 408) continue;
        if (last.status < 300 && flow !== null) this.#succeed(last, flow, target);
        else this.#fail(last);
        return null;
      }
    } catch (thrown) {
      last = toError(thrown).message;
    }
    if (this.#closed === null) this.#fail(last);
    return null;
  }

  async #register(flow: Flow): Promise<SipResponse | string> {
    let isMoved = false;
    for (let attempt = 0; ; attempt++) {
      const contact = this.#contact(flow);
      const response = await this.#ask(flow, this.#wantedSeconds);
      const least = typeof response === 'string' ? '' : (response.headers.get('Min-Expires') ?? '').trim();
      const tooBrief = typeof response !== 'string' && response.status === 423 && /^\d{1,9}$/.test(least);
      const isTried = attempt < maxTooBrief && this.#closed === null;
      if (tooBrief && Number(least) > this.#wantedSeconds && isTried) {
        this.#wantedSeconds = Number(least);
        continue;
      }
      if (typeof response === 'string' || response.status >= 300) return response;
      this.#bound = contact;
      // The registrar has reported the source address of the request. Behind a NAT it differs from the Contact, which
      // must name it to be reachable.
      if (isMoved || this.#contact(flow) === contact || this.#closed !== null) return response;
      isMoved = true;
    }
  }

  #ask(flow: Flow, expiresSeconds: number, timeoutMs?: number): Promise<SipResponse | string> {
    const contact = this.#contact(flow);
    const headers: [string, string][] = [
      ['Contact', contact],
      ['Expires', String(expiresSeconds)],
    ];
    if (this.#bound !== null && this.#bound !== contact) headers.push(['Contact', `${this.#bound};expires=0`]);
    return this.#requests.ask({
      method: 'REGISTER',
      uri: this.#options.registrar,
      flow,
      digest: this.#digest,
      headers,
      ...(timeoutMs !== undefined && { timeoutMs }),
    });
  }

  /** Returns the local Contact with the account's user, by which providers distinguish their numbers. */
  #contact(flow: Flow): string {
    const user = parseUri(this.#options.account.uri)?.user ?? '';
    return user === '' ? contactFor(flow) : contactFor(flow).replace(/^<(sips?):/, `<$1:${user}@`);
  }

  #succeed(response: SipResponse, flow: Flow, target: Target): void {
    const expiresSeconds = grantedSeconds(response, this.#contact(flow)) ?? this.#wantedSeconds;
    if (expiresSeconds === 0) {
      this.#fail('The registrar accepted the request, but stores no registration of this contact.');
      return;
    }
    this.#failures = 0;
    this.#keepAlive?.cancel();
    this.#keepAlive = this.#context.keepAlive(flow);
    const [share = 0] = this.#context.random(1);
    // Between 70 and 85 % of the lifetime: early enough for another attempt, and spread over accounts.
    const refreshMs = Math.max(leastRefreshMs, expiresSeconds * 1_000 * (0.7 + (0.15 * share) / 255));
    this.#timer.set(refreshMs, () => this.#try());
    this.#become({ type: 'registered', expiresSeconds, target });
  }

  #fail(why: SipResponse | string): void {
    this.#failures += 1;
    const askedMs = typeof why === 'string' ? 0 : Math.min(readRetryAfterMs(why) ?? 0, longestRetryAfterMs);
    const retryInMs = Math.max(askedMs, backoffMs(this.#failures, this.#context.random));
    this.#timer.set(retryInMs, () => this.#try());
    const status = typeof why === 'string' ? null : why.status;
    const message = typeof why === 'string' ? why : `${why.status} ${why.reason}`;
    this.#become({ type: 'failed', status, message, retryInMs });
  }

  async #unregister(): Promise<void> {
    this.#timer.clear();
    const state = this.#state;
    if (state.type === 'closed') return;
    const flow = state.type === 'registered' ? this.#context.flowTo(state.target) : await this.#lateSuccess();
    if (flow !== null) await this.#ask(flow, 0, closeTimeoutMs);
    this.#become({ type: 'closed' });
  }

  /**
   * Waits briefly for an attempt under way, because its registration would remain at the provider. Returns its flow if
   * it succeeds.
   */
  async #lateSuccess(): Promise<Flow | null> {
    const late = new Promise<null>((resolve) => {
      this.#giveUp = () => resolve(null);
    });
    this.#timer.set(closeTimeoutMs, this.#giveUp);
    const flow = await Promise.race([this.#attempt, late]);
    this.#timer.clear();
    return flow;
  }

  #become(state: RegistrationState): void {
    if (this.#state.type === 'closed') return;
    this.#state = state;
    if (state.type !== 'registered') this.#keepAlive?.cancel();
    this.#onChange(state);
  }
}

/**
 * Returns the granted lifetime: the `expires` parameter of the local Contact, else the Expires field; null without
 * either.
 * @see RFC 3261 §10.2.4
 */
function grantedSeconds(response: SipResponse, contact: string): number | null {
  const ours = parseNameAddrs([contact])?.[0]?.uri;
  const all = parseNameAddrs(response.headers.all('Contact')) ?? [];
  // Behind a NAT the registrar may have rewritten the address.
  const kept = all.find((each) => each.uri === ours) ?? (all.length === 1 ? all[0] : undefined);
  const text = (kept?.params.get('expires') ?? response.headers.get('Expires') ?? '').trim();
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}
