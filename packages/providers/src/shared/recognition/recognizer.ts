import type { Clock, Logger, SttEvent } from '@va/core/adapter';
import type { ServiceFault } from '../faults/service-fault.ts';
import type { VendorFields } from '../json.ts';

/** Converts between the messages of a service and the events of the port. */
export interface Recognizer {
  /** See `SttStream.judgesTurns`. */
  readonly judgesTurns: boolean;
  /** Returns the URL of the next connection. */
  url(): string;
  /** Returns the first message of a connection, if the service expects one before its greeting. */
  openingMessage?(): VendorFields;
  /**
   * Returns true for the greeting after which the service accepts audio. Default: it accepts audio once connected.
   */
  isGreeting?(message: VendorFields): boolean;
  /** Returns the error in a message for which the connection is replaced; undefined for other messages. */
  faultOf(message: VendorFields): ServiceFault | undefined;
  /** Returns the message with a chunk of audio. Default: a binary frame. */
  audio?(chunk: Uint8Array): VendorFields;
  /**
   * Called when a connection, the first or a later one, accepts audio and has been sent the audio without final words.
   */
  opened(): void;
  received(message: VendorFields): void;
  /** See `SttStream.finalize`. Not called after `stop`. */
  finalize(): void;
  /** Replaces the key terms, on this connection if possible, else on the next one. */
  setHints(hints: readonly string[]): void;
  /** Returns the last message of a connection, if the service expects one. */
  closingMessage?(): VendorFields | string;
  /** Cancels pending timers. */
  stop(): void;
}

/** Functions of the stream that a recognizer uses. */
export interface RecognizerHost {
  /** Registry id of the provider, for errors and logs. */
  readonly id: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Removes the API key from a text of the service, for logs. */
  redact(text: string): string;
  emit(event: SttEvent): void;
  /**
   * Sends the audio that is still too short for a message, filled up with silence, then the message. Returns false and
   * sends nothing if no connection is ready.
   */
  send(message: VendorFields | string): boolean;
  /** Resets the count of connection attempts after the service has worked. */
  succeeded(): void;
  /** Drops the audio kept for the next connection, because all audio sent so far has its final words. */
  settled(): void;
}

/** Sizes of the audio messages that a service takes. */
export interface AudioLimits {
  /** Minimum size of a message with audio. */
  readonly chunkBytes: number;
  /** Value of the bytes that fill a shorter message: silence. */
  readonly padding: number;
}
