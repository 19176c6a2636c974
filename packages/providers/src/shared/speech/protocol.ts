import type { WordTiming } from '@va/core/adapter';
import type { ServiceFault } from '../faults/service-fault.ts';
import type { VendorFields } from '../json.ts';
import type { SlotLimits } from './context-slots.ts';

/** A message of a service: a JSON object, or audio in a binary frame. */
export type ServiceMessage = VendorFields | Uint8Array;

/** Content of one message for its context. */
export interface ContextPiece {
  readonly audio?: Uint8Array;
  /** Words with times from the start of the utterance. */
  readonly words?: readonly WordTiming[];
  /** True if the service has finished the context. */
  readonly isFinal?: boolean;
  /** Messages to send in response. */
  readonly replies?: readonly VendorFields[];
}

/** Progress of an utterance. */
export interface UtteranceProgress {
  /** Duration of the audio received before this message. */
  readonly receivedMs: number;
  /** All text so far. */
  readonly text: string;
}

/** Writes the messages of an utterance on one connection, and reads the messages of the service about it. */
export interface SpeechContext {
  /** True if the service has spoken all texts and holds no state: no message follows. Default: false. */
  readonly isIdle?: boolean;
  /** Returns the messages that open the context, before its first text. */
  start(): readonly VendorFields[];
  text(text: string): readonly VendorFields[];
  /** Returns the messages that end the text. */
  end(): readonly VendorFields[];
  /** Returns the messages that cancel the utterance. `read` is called until it returns `isFinal`. */
  cancel(): readonly VendorFields[];
  /** Returns the messages that keep a context open which waits for text. */
  keepAlive?(): readonly VendorFields[];
  read(message: ServiceMessage, progress: UtteranceProgress): ContextPiece;
}

/** The messages of one connection. */
export interface SpeechWire {
  open(contextId: string): SpeechContext;
  /** Returns the id of the context that a message belongs to; undefined if there is none. */
  contextOf(message: ServiceMessage): string | undefined;
  /** Returns the error in a message; undefined if there is none. */
  faultOf(message: VendorFields): ServiceFault | undefined;
  /** Returns the messages that keep the connection open while no context waits for text. */
  keepAlive?(): readonly VendorFields[];
}

/** A service that speaks texts over a WebSocket. */
export interface SpeechProtocol extends SlotLimits {
  /**
   * Reaction when cancelled contexts take every slot: open another connection at once, or wait for the service to
   * confirm the end of a context, and reconnect only if it does not.
   */
  readonly whenBlocked: 'reconnect' | 'wait';
  /** Interval of the keep-alive messages. Default: none. */
  readonly keepAliveMs?: number;
  connect(): SpeechWire;
}
