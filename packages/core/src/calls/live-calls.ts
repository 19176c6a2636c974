import type { ServiceNode } from '../cluster/service-node.ts';
import type { Ending } from '../conversation/state/phase.ts';
import type { OrganizationRecord } from '../domain/accounts/organization.ts';
import type { Call, CallRecord } from '../domain/calls/call.ts';
import type { CallCommandRecord, CommandOutcome, ControlCommand } from '../domain/calls/call-control.ts';
import { RequestError, toError } from '../errors.ts';
import { type RandomBytes, uuidv7 } from '../ids.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { Storage } from '../ports/storage/storage.ts';
import type { IncomingCall } from '../ports/telephony.ts';
import type { CallControl, CallSlot } from './call-control.ts';
import type { CallOrigin } from './call-origin.ts';
import { LoopLag } from './limits/loop-lag.ts';
import {
  type CallShare,
  type OrganizationLimits,
  OrganizationShares,
  shareIsFull,
} from './limits/organization-shares.ts';
import { LiveCall, type LiveCallDependencies } from './live-call.ts';
import { FoundNumber } from './origin/found-number.ts';
import { Inbound, type InboundDependencies } from './origin/inbound.ts';
import { Outbound, type OutboundDependencies } from './origin/outbound.ts';
import type { OutboundRequest } from './origin/placing.ts';
import { RedeemedGrant } from './origin/redeemed-grant.ts';
import { notActive } from './origin/refusal.ts';
import { routeInbound } from './origin/routing.ts';
import { WebOrigin } from './origin/web.ts';
import { newInboundCall, newWebCall } from './record/call-record.ts';
import { SupervisionGrant } from './supervision/supervision-grant.ts';

const shutdown: Ending = { reason: 'service_shutdown', error: 'The service was shut down.' };
const takenForDead: Ending = { reason: 'worker_lost', error: 'The node running the call was declared dead.' };

/** Value of Retry-After if there is no room for a call. */
const retryAfterSeconds = 5;

export interface LiveCallsOptions {
  /** Maximum calls of this process. */
  readonly maxCalls: number;
  /** Maximum event-loop delay. Calls are refused while it is exceeded in both of the last windows. */
  readonly maxLoopLagMs: number;
  /** Limits of one organization within these calls. */
  readonly limits?: OrganizationLimits | undefined;
  /** WebSocket URL at which browsers reach this process; null for that of the service. */
  readonly webCallUrl: string | null;
  readonly node: Pick<ServiceNode, 'id' | 'hasOthers' | 'isAlone' | 'nodes' | 'feed' | 'quota' | 'ask'>;
}

export interface LiveCallsDependencies {
  readonly inbound: InboundDependencies;
  readonly outbound: OutboundDependencies;
  readonly call: LiveCallDependencies;
  readonly storage: Storage;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly logger: Logger;
}

/** The live calls of this process. */
export class LiveCalls implements CallControl {
  readonly #deps: LiveCallsDependencies;
  readonly #options: LiveCallsOptions;
  readonly #running = new Set<Promise<void>>();
  readonly #live = new Map<string, LiveCall>();
  readonly #lag: LoopLag;
  readonly #shares: OrganizationShares;
  /** Live calls plus reserved ones. */
  #taken = 0;
  #draining = false;

  constructor(deps: LiveCallsDependencies, options: LiveCallsOptions) {
    this.#deps = deps;
    this.#options = options;
    this.#lag = new LoopLag(deps.clock);
    this.#shares = new OrganizationShares({ ...options, storage: deps.storage });
  }

  get count(): number {
    return this.#running.size;
  }

  get limit(): number {
    return this.#options.maxCalls;
  }

  /** Delay of the event loop in milliseconds: see `LoopLag`. */
  get loopLagMs(): number {
    return this.#lag.p95Ms;
  }

  get isDraining(): boolean {
    return this.#draining;
  }

  get nodeId(): string {
    return this.#options.node.id;
  }

  isLive(callId: string): boolean {
    return this.#live.has(callId);
  }

  admits(): boolean {
    const { maxCalls, maxLoopLagMs } = this.#options;
    return !this.#draining && this.#taken < maxCalls && this.#lag.p95Ms <= maxLoopLagMs;
  }

  /** Starts to measure the event-loop delay. */
  start(): void {
    this.#lag.start();
  }

  take(incoming: IncomingCall): void {
    if (incoming.grant instanceof SupervisionGrant) {
      this.#supervise(incoming, incoming.grant);
      return;
    }
    this.#taken += 1;
    const running = this.#serve(incoming).finally(() => {
      this.#running.delete(running);
      this.#taken -= 1;
    });
    this.#running.add(running);
  }

  async acquireSlot(organization: Pick<OrganizationRecord, 'id' | 'concurrency_limit'>): Promise<CallSlot> {
    const { quota } = this.#options.node;
    if (!this.admits()) throw noCapacity();
    this.#taken += 1;
    let share: CallShare | null = null;
    try {
      share = await this.#shares.takeOutbound(organization);
      if (!(await quota.acquire())) throw noCapacity();
    } catch (thrown) {
      share?.end();
      this.#taken -= 1;
      throw thrown;
    }
    const { answered, end } = share;
    return {
      answered,
      release: () => {
        end();
        this.#taken -= 1;
        quota.release();
      },
    };
  }

  place(request: OutboundRequest, slot: CallSlot): void {
    const running = this.#run(
      new Outbound(this.#deps.outbound, request, () => slot.answered?.()),
      request.call,
    ).finally(() => {
      this.#running.delete(running);
      slot.release();
    });
    this.#running.add(running);
  }

  nodeOf({ id, node_id: nodeId }: CallRecord): string | null {
    if (this.#live.has(id)) return null;
    if (nodeId === null || nodeId === this.nodeId || !this.#options.node.hasOthers) throw notActive(id);
    return nodeId;
  }

  async webCallUrlOf(call: CallRecord): Promise<string | null> {
    const { node, webCallUrl } = this.#options;
    const nodeId = this.nodeOf(call);
    if (nodeId === null) {
      if (webCallUrl === null && !node.isAlone) throw unreachable();
      return webCallUrl;
    }
    const found = (await node.nodes()).find(({ id }) => id === nodeId)?.details?.web_call_url ?? null;
    if (found === null) throw unreachable();
    return found;
  }

  async control(callId: string, command: ControlCommand, traceparent: string | null): Promise<string> {
    const call = this.#live.get(callId);
    if (call === undefined) throw notActive(callId);
    return await call.control(command, traceparent);
  }

  async ask(orgId: string, record: CallCommandRecord): Promise<CommandOutcome> {
    return await this.#options.node.ask(orgId, record);
  }

  /** Drops all calls after another node took this process for dead and ended their records. */
  abandon(): void {
    for (const call of this.#live.values()) call.end(takenForDead);
  }

  /**
   * Refuses new calls, lets the live ones finish for `drainMs`, then ends them. Until `placing` resolves, more calls
   * may be placed.
   */
  async drain(drainMs: number, placing: Promise<void> = Promise.resolve()): Promise<void> {
    this.#draining = true;
    await placing;
    const all = Promise.all(this.#running);
    const limit = new Promise<void>((resolve) => {
      const timer = this.#deps.clock.setTimer(drainMs, resolve);
      void all.then(() => {
        timer.cancel();
        resolve();
      });
    });
    await limit;
    for (const call of this.#live.values()) call.end(shutdown);
    await Promise.all(this.#running);
  }

  stop(): void {
    this.#lag.stop();
  }

  async #serve(incoming: IncomingCall): Promise<void> {
    const { logger } = this.#deps;
    const { quota } = this.#options.node;
    let hasSlot = false;
    try {
      hasSlot = await quota.acquire();
      if (hasSlot) await this.#answer(incoming);
      else incoming.reject('overloaded');
    } catch (thrown) {
      logger.error({ err: toError(thrown), leg: incoming.id }, 'call failed');
      incoming.reject('error');
    } finally {
      if (hasSlot) quota.release();
    }
  }

  /**
   * Connects a supervisor to a live call. Supervisors do not count as calls, and are disconnected when the call ends.
   */
  #supervise(incoming: IncomingCall, { callId, mode }: SupervisionGrant): void {
    const call = this.#live.get(callId);
    if (call === undefined) incoming.reject('not-found');
    else void call.supervise(incoming, mode);
  }

  async #answer(incoming: IncomingCall): Promise<void> {
    const { storage, clock, random, logger } = this.#deps;
    const { dialed, grant } = incoming;
    if (grant instanceof RedeemedGrant) {
      await this.#answerWebCall(incoming, grant);
      return;
    }
    const known = dialed instanceof FoundNumber ? dialed.found : null;
    const route = await routeInbound(storage, incoming.to.number, known);
    if (route === null) {
      logger.info(
        { leg: incoming.id, to: incoming.to.number, from: incoming.from.number },
        'refused a call to an unknown number',
      );
      incoming.reject('not-found');
      return;
    }
    const record = newInboundCall(uuidv7(clock, random), route, incoming.from, clock);
    // Joins the telephony's call id to ours; later log lines have only the latter.
    logger.info({ callId: record.id, leg: incoming.id }, 'incoming call');
    const share = await this.#shares.takeInbound(route.organization);
    try {
      await this.#run(new Inbound(this.#deps.inbound, route, incoming, share === null ? shareIsFull : null), record);
    } finally {
      share?.end();
    }
  }

  async #answerWebCall(incoming: IncomingCall, grant: RedeemedGrant): Promise<void> {
    const { clock, inbound, logger } = this.#deps;
    logger.info({ callId: grant.callId, leg: incoming.id }, 'incoming web call');
    const share = await this.#shares.takeInbound(grant.organization);
    try {
      const origin = new WebOrigin({ ...inbound, clock }, grant, incoming, share === null ? shareIsFull : null);
      await this.#run(origin, newWebCall(grant, clock));
    } finally {
      share?.end();
    }
  }

  /** Never rejects. */
  async #run(origin: CallOrigin, record: Call): Promise<void> {
    const { feed } = this.#options.node;
    const orgId = origin.organization.id;
    const call = new LiveCall(this.#deps.call, origin, record, (events) => feed.stored(orgId, events));
    this.#live.set(record.id, call);
    await call.run().finally(() => this.#live.delete(record.id));
  }
}

function unreachable(): RequestError {
  const message = 'Browsers cannot reach the node that runs the call: it needs webCalls({ publicUrl }).';
  return new RequestError(503, 'unavailable', message);
}

function noCapacity(): RequestError {
  return new RequestError(503, 'unavailable', 'No capacity for another call. Try again later.', [], {
    retryAfterSeconds,
  });
}
