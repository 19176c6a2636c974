import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { VaError } from '@va/core';
import {
  type CarrierAccess,
  type CarrierDialRequest,
  type Clock,
  type DialedNumber,
  type DialFailure,
  type InboundCarrierTrunk,
  type OutgoingCall,
  type Party,
  type RejectCause,
  refuseUpgrade,
  systemClock,
  systemRandom,
  type Telephony,
  type TelephonyHost,
  timestamp,
  toError,
} from '@va/core/adapter';
import { formatOf, type LegEncoding } from '@va/media';
import type { CallCommands } from './call/call-commands.ts';
import { CarrierIncomingCall } from './call/incoming-call.ts';
import { type CallReport, CarrierOutgoingCall } from './call/outgoing-call.ts';
import type { CarrierOptions } from './carrier-options.ts';
import { StreamServer, type StreamServerOptions } from './stream/stream-server.ts';
import { TokenMap } from './stream/token-map.ts';
import { FailureLimit } from './web/failure-limit.ts';

type CarrierAccessType = CarrierAccess['type'];

/** Maximum number of trunks whose last webhook is remembered. */
const maxSigns = 1_000;

/** A called number with the trunk of its account. */
export interface CarrierLine<T extends CarrierAccessType> {
  readonly number: DialedNumber;
  readonly access: CarrierAccess<T>;
}

/** Identity and signature check of the sender of a webhook. */
export interface WebhookSender<T extends CarrierAccessType> {
  readonly dialed: string;
  /** Key by which failures of the account are counted, such as the account id. */
  readonly account: string;
  isAccount(account: InboundCarrierTrunk['account']): boolean;
  isSigned(access: CarrierAccess<T>): boolean;
}

/** An inbound call that a webhook announced. */
export interface Announced<T extends CarrierAccessType> {
  readonly callId: string;
  readonly line: CarrierLine<T>;
  readonly from: Party;
  readonly to: Party;
  readonly decisionMs: number;
  /** Connects the call to the stream with a token. */
  readonly accept: (token: string) => void | Promise<void>;
  readonly refuse: (cause: RejectCause) => void;
  /** Called when the call has ended. */
  readonly release?: () => void;
}

/** An outbound call, identified by the key in the URLs of its callbacks. */
export interface Placed<T extends CarrierAccessType> {
  readonly call: CarrierOutgoingCall;
  readonly access: CarrierAccess<T>;
  readonly token: string;
}

export interface CarrierSettings<T extends CarrierAccessType> extends StreamServerOptions {
  readonly type: T;
  /** Name in messages, such as `Twilio`. */
  readonly name: string;
}

/** Base class of telephony over webhooks, an HTTP API and media streams. */
export abstract class CarrierTelephony<T extends CarrierAccessType> implements Telephony {
  readonly id: string;
  readonly carrier: T;
  protected readonly options: CarrierOptions;
  protected readonly streams: StreamServer;
  /** Outbound calls by the key in the URLs of their callbacks. */
  protected readonly placed: TokenMap<Placed<T>> = new TokenMap<Placed<T>>(systemRandom);
  protected publicUrl = '';
  protected clock: Clock = systemClock;
  readonly #name: string;
  readonly #live = new Set<{ hangup(): void }>();
  #failures: FailureLimit | null = null;
  #host: TelephonyHost | null = null;
  /** Timestamps of the last webhooks by trunk id, least recent first. */
  readonly #signs = new Map<string, { readonly last_webhook_at: string }>();

  constructor(options: CarrierOptions, settings: CarrierSettings<T>) {
    this.options = options;
    this.carrier = settings.type;
    this.id = options.id ?? settings.type;
    this.#name = settings.name;
    this.streams = new StreamServer(settings);
  }

  get trunkHealth(): ReadonlyMap<string, { readonly last_webhook_at: string }> {
    return this.#signs;
  }

  async start(host: TelephonyHost): Promise<void> {
    const own = this.options.publicUrl;
    const publicUrl = own === undefined ? host.publicUrl : `${own.replace(/\/$/, '')}/telephony/${this.id}`;
    if (publicUrl === undefined || publicUrl === null) {
      const message = `${this.carrier}() needs publicUrl, the URL under which ${this.#name} reaches the service.`;
      throw new VaError('invalid_options', message);
    }
    this.publicUrl = publicUrl;
    this.#failures = new FailureLimit(host.clock);
    this.clock = host.clock;
    this.#host = host;
  }

  async fetch(request: Request): Promise<Response> {
    const path = this.#pathOf(new URL(request.url));
    if (this.#host === null) return new Response(null, { status: 503 });
    return await this.serve(this.#host, request, path);
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, url: URL, clientAddress: string | null = null): void {
    if (this.#host === null) refuseUpgrade(socket, 503);
    else this.streams.upgrade(this.#host, request, [socket, head], { path: this.#pathOf(url), clientAddress });
  }

  dialCarrier(request: CarrierDialRequest): OutgoingCall {
    const host = this.#host;
    if (host === null) throw new VaError('invalid_state', `The ${this.#name} adapter was not started.`);
    const { trunk } = request;
    if (!this.#isOurs(trunk)) {
      throw new VaError('dial_failed', `${this.#name} cannot use a trunk of ${trunk.type}.`);
    }
    const call = new CarrierOutgoingCall({
      request,
      commands: this.commandsOf(trunk),
      clock: host.clock,
      logger: host.logger,
      refusalOf: (error) => this.refusalOf(error),
      release: () => {
        this.streams.forget(token);
        this.placed.remove(key);
        this.#live.delete(call);
      },
    });
    const isProven = (headers: IncomingHttpHeaders): boolean => this.isProven(headers, trunk);
    const token = this.streams.expect({ call, callId: null, isProven });
    const key = this.placed.add({ call, access: trunk, token });
    this.#live.add(call);
    void call.place(() => this.place(request, trunk, { token, key }));
    return call;
  }

  async close(): Promise<void> {
    for (const call of [...this.#live]) call.hangup();
    this.streams.close();
    this.#host = null;
  }

  /**
   * Handles a webhook, which the implementation MUST authenticate.
   * @param path path of the URL after the adapter's id
   */
  protected abstract serve(host: TelephonyHost, request: Request, path: string): Promise<Response>;
  protected abstract commandsOf(access: CarrierAccess<T>): CallCommands;
  /** Returns the call failure for a refused request. */
  protected abstract refusalOf(error: Error): DialFailure;
  /** Places a call through the API and resolves to its id. */
  protected abstract place(
    request: CarrierDialRequest,
    access: CarrierAccess<T>,
    names: { readonly token: string; readonly key: string },
  ): Promise<string>;

  /** Returns the encoding of the media streams of a trunk. */
  protected encodingOf(_access: CarrierAccess<T>): LegEncoding {
    return 'pcmu';
  }

  /** Checks the upgrade request of a stream in addition to its token. */
  protected isProven(_headers: IncomingHttpHeaders, _access: CarrierAccess<T>): boolean {
    return true;
  }

  /** Returns the URL of the media stream with a token. */
  protected streamUrl(token?: string): string {
    return `${this.publicUrl.replace(/^http/, 'ws')}/stream${token === undefined ? '' : `/${token}`}`;
  }

  /**
   * Offers an authenticated call to the service. Returns null, and refuses the call, if the service accepts no calls.
   */
  protected announce(host: TelephonyHost, announced: Announced<T>): CarrierIncomingCall | null {
    const { line, callId, accept, refuse } = announced;
    if (!host.admits()) {
      host.refused();
      refuse('overloaded');
      return null;
    }
    let token = '';
    const call = new CarrierIncomingCall({
      ...announced,
      commands: this.commandsOf(line.access),
      clock: host.clock,
      logger: host.logger,
      dialed: line.number,
      format: formatOf(this.encodingOf(line.access)),
      accept: () => {
        const isProven = (headers: IncomingHttpHeaders): boolean => this.isProven(headers, line.access);
        token = this.streams.expect({ call, callId, isProven });
        return accept(token);
      },
      refuse,
      release: () => {
        this.streams.forget(token);
        this.#live.delete(call);
        announced.release?.();
      },
    });
    this.#live.add(call);
    host.onIncomingCall(call);
    return call;
  }

  /** Returns the number and trunk of an authenticated webhook; null for any other request. */
  protected async lineOf(host: TelephonyHost, sender: WebhookSender<T>): Promise<CarrierLine<T> | null> {
    const failures = this.#failures;
    const account = sender.account.slice(0, 200);
    if (failures === null || !failures.mayTry(account)) return null;
    const numbers = (await host.numbersOf?.(sender.dialed.slice(0, 256))) ?? [];
    for (const number of numbers) {
      for (const trunk of number.carrierTrunks ?? []) {
        if (trunk.type !== this.carrier || !sender.isAccount(trunk.account)) continue;
        const access = await trunk.access().catch((thrown: unknown) => {
          host.logger.error({ trunk: trunk.id, err: toError(thrown) }, 'failed to read the credentials of a trunk');
          return null;
        });
        if (access === null || !this.#isOurs(access) || !sender.isSigned(access)) continue;
        failures.succeeded(account);
        this.#webhookCame(access.id);
        return { number, access };
      }
    }
    failures.failed(account);
    return null;
  }

  /**
   * Handles an authenticated webhook of an outbound call. The report is null if it does not concern the call's state.
   */
  protected reported({ call, access }: Placed<T>, report: CallReport | null): void {
    this.#webhookCame(access.id);
    if (report !== null) call.reported(report);
  }

  /** Records the time of an authenticated webhook. */
  #webhookCame(trunkId: string): void {
    this.#signs.delete(trunkId);
    this.#signs.set(trunkId, { last_webhook_at: timestamp(this.clock) });
    const [oldest] = this.#signs.keys();
    if (this.#signs.size > maxSigns && oldest !== undefined) this.#signs.delete(oldest);
  }

  #isOurs(access: CarrierAccess): access is CarrierAccess<T> {
    return access.type === this.carrier;
  }

  #pathOf(url: URL): string {
    return url.pathname.split(`/telephony/${this.id}`)[1] ?? '';
  }
}
