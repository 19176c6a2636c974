import { EventEmitter } from 'eventemitter3';
import { toError } from '../errors.ts';
import type { ServiceEvents } from '../events.ts';
import type { Logger } from '../ports/logger.ts';

/** The events of a service, for listeners of the host. */
export class HostEvents {
  readonly emitter: EventEmitter<ServiceEvents> = new EventEmitter();
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Logs what a listener throws, so that it harms neither the call nor other listeners' work. */
  readonly emit = <Name extends keyof ServiceEvents>(name: Name, event: Parameters<ServiceEvents[Name]>[0]): void => {
    try {
      this.emitter.emit(name, ...([event] as EventEmitter.EventArgs<ServiceEvents, Name>));
    } catch (thrown) {
      this.#logger.error({ err: toError(thrown), event: name }, 'event listener threw');
    }
  };
}
