import { EventEmitter } from 'eventemitter3';
import type { Ending } from '../conversation/config.ts';
import type { Call } from '../domain/call.ts';
import type { ControlCommand } from '../domain/call-control.ts';
import { toError } from '../errors.ts';
import { uuidv7 } from '../ids.ts';
import type { IncomingCall } from '../ports/telephony.ts';
import type { CallControl } from './call-control.ts';
import type { CallDependencies } from './call-dependencies.ts';
import type { CallOrigin } from './call-origin.ts';
import { newInboundCall } from './call-record.ts';
import { FoundNumber } from './found-number.ts';
import { Inbound } from './inbound.ts';
import { LiveCall } from './live-call.ts';
import { Outbound } from './outbound.ts';
import type { OutboundRequest } from './placing.ts';
import { notActive } from './refusal.ts';
import { routeInbound } from './routing.ts';

const shutdown: Ending = { reason: 'worker_lost', error: 'The service was shut down.' };

/** The calls of this process. */
export class LiveCalls implements CallControl {
  readonly #deps: CallDependencies;
  readonly #maxCalls: number;
  readonly #running = new Set<Promise<void>>();
  readonly #live = new Map<string, LiveCall>();
  readonly #watchers = new EventEmitter();
  #draining = false;

  constructor(deps: CallDependencies, maxCalls: number) {
    this.#deps = deps;
    this.#maxCalls = maxCalls;
  }

  get count(): number {
    return this.#running.size;
  }

  get limit(): number {
    return this.#maxCalls;
  }

  isLive(callId: string): boolean {
    return this.#live.has(callId);
  }

  admits(): boolean {
    return !this.#draining && this.#running.size < this.#maxCalls;
  }

  take(incoming: IncomingCall): void {
    const running = this.#serve(incoming).finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  place(request: OutboundRequest): void {
    const running = this.#run(new Outbound(this.#deps, request), request.call).finally(() =>
      this.#running.delete(running),
    );
    this.#running.add(running);
  }

  async control(callId: string, command: ControlCommand): Promise<string> {
    const call = this.#live.get(callId);
    if (call === undefined) throw notActive(callId);
    return await call.control(command);
  }

  onStored(callId: string, wake: () => void): () => void {
    this.#watchers.on(callId, wake);
    return () => this.#watchers.off(callId, wake);
  }

  /** Takes no more calls, lets the live ones finish for `drainMs`, then ends them. */
  async drain(drainMs: number): Promise<void> {
    this.#draining = true;
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

  async #serve(incoming: IncomingCall): Promise<void> {
    const { storage, clock, random, logger } = this.#deps;
    try {
      const { dialed } = incoming;
      const known = dialed instanceof FoundNumber ? dialed.found : null;
      const route = await routeInbound(storage, incoming.to.number, known);
      if (route === null) {
        logger.info(
          { leg: incoming.id, to: incoming.to.number, from: incoming.from.number },
          'call to an unknown number refused',
        );
        incoming.reject('not-found');
        return;
      }
      const record = newInboundCall(uuidv7(clock, random), route, incoming.from, clock);
      // From here on lines have the id of the call: this one joins it to that of the telephony.
      logger.info({ callId: record.id, leg: incoming.id }, 'a call came in');
      await this.#run(new Inbound(this.#deps, route, incoming), record);
    } catch (thrown) {
      logger.error({ err: toError(thrown), leg: incoming.id }, 'call failed');
      incoming.reject('error');
    }
  }

  /** Never rejects. */
  async #run(origin: CallOrigin, record: Call): Promise<void> {
    const call = new LiveCall(this.#deps, origin, record, () => void this.#watchers.emit(record.id));
    this.#live.set(record.id, call);
    await call.run().finally(() => this.#live.delete(record.id));
  }
}
