import type { Ending } from '../conversation/config.ts';
import { toError } from '../errors.ts';
import { uuidv7 } from '../ids.ts';
import type { IncomingCall } from '../ports/telephony.ts';
import type { CallDependencies } from './call-dependencies.ts';
import { newInboundCall } from './call-record.ts';
import { InboundCall } from './inbound-call.ts';
import { routeInbound } from './routing.ts';

const shutdown: Ending = { reason: 'worker_lost', error: 'The service was shut down.' };

/** The calls of this process. */
export class LiveCalls {
  readonly #deps: CallDependencies;
  readonly #maxCalls: number;
  readonly #running = new Set<Promise<void>>();
  readonly #live = new Set<InboundCall>();
  #draining = false;

  constructor(deps: CallDependencies, maxCalls: number) {
    this.#deps = deps;
    this.#maxCalls = maxCalls;
  }

  get count(): number {
    return this.#running.size;
  }

  admits(): boolean {
    return !this.#draining && this.#running.size < this.#maxCalls;
  }

  take(incoming: IncomingCall): void {
    const running = this.#serve(incoming).finally(() => this.#running.delete(running));
    this.#running.add(running);
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
    for (const call of this.#live) call.end(shutdown);
    await Promise.all(this.#running);
  }

  async #serve(incoming: IncomingCall): Promise<void> {
    const { storage, clock, random, logger } = this.#deps;
    try {
      const route = await routeInbound(storage, incoming.to.number);
      if (route === null) {
        logger.info({ to: incoming.to.number, from: incoming.from.number }, 'call to an unknown number refused');
        incoming.reject('not-found');
        return;
      }
      const call = new InboundCall(
        this.#deps,
        route,
        incoming,
        newInboundCall(uuidv7(clock, random), route, incoming.from, clock),
      );
      this.#live.add(call);
      await call.run().finally(() => this.#live.delete(call));
    } catch (thrown) {
      logger.error({ err: toError(thrown) }, 'call failed');
      incoming.reject('error');
    }
  }
}
