import { EventEmitter } from 'eventemitter3';
import { toError } from '../errors.ts';
import type { EmitServiceEvent, ServiceEvents } from '../events.ts';
import type { Logger } from '../ports/logger.ts';

/** The events of a service, for listeners of the host. */
export class HostEvents {
  readonly emitter: EventEmitter<ServiceEvents> = new EventEmitter();
  readonly #logger: Logger;
  readonly #observe: EmitServiceEvent;

  /** @param observe called with each event before the host's listeners; MUST NOT throw */
  constructor(logger: Logger, observe: EmitServiceEvent = () => {}) {
    this.#logger = logger;
    this.#observe = observe;
  }

  /**
   * Emits an event. Logs an error that a listener throws, so that the call continues; later listeners of that event are
   * not called.
   */
  readonly emit = <Name extends keyof ServiceEvents>(name: Name, event: Parameters<ServiceEvents[Name]>[0]): void => {
    this.#observe(name, event);
    try {
      this.emitter.emit(name, ...([event] as EventEmitter.EventArgs<ServiceEvents, Name>));
    } catch (thrown) {
      this.#logger.error({ err: toError(thrown), event: name }, 'event listener threw');
    }
  };
}
