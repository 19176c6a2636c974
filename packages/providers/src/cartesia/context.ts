import type { ServiceFault } from '../shared/faults/service-fault.ts';
import type { VendorFields } from '../shared/json.ts';
import type {
  ContextPiece,
  ServiceMessage,
  SpeechContext,
  SpeechProtocol,
  SpeechWire,
  UtteranceProgress,
} from '../shared/speech/protocol.ts';
import { readFault } from './fault.ts';
import { readWords } from './words.ts';

/** Separates the id of an utterance from the number of its context. */
const separator = '.';
/** Number of expired contexts whose late errors are recognized. */
const maxExpired = 20;

/**
 * An utterance. The service ends a context one second after its last audio, also when more text follows: the rest of
 * the text is then spoken on a further context. Each text is flushed, so that the service reports when it was spoken.
 */
class CartesiaContext implements SpeechContext {
  readonly #id: string;
  readonly #request: VendorFields;
  readonly #onExpired: (contextId: string) => void;
  #part = 1;
  #isOpen = false;
  /** Duration of the audio of earlier contexts. */
  #offsetMs = 0;
  /** Texts that are not spoken completely. */
  #pending: string[] = [];
  #ended = false;
  #cancelled = false;

  constructor(id: string, request: VendorFields, onExpired: (contextId: string) => void) {
    this.#id = id;
    this.#request = request;
    this.#onExpired = onExpired;
  }

  get isIdle(): boolean {
    return !this.#isOpen && this.#pending.length === 0;
  }

  start(): readonly VendorFields[] {
    return [];
  }

  text(text: string): readonly VendorFields[] {
    this.#pending.push(text);
    return this.#speak(text);
  }

  end(): readonly VendorFields[] {
    this.#ended = true;
    return this.#isOpen ? [this.#message({ transcript: '', continue: false })] : [];
  }

  cancel(): readonly VendorFields[] {
    this.#cancelled = true;
    return this.#isOpen ? [{ context_id: this.#contextId, cancel: true }] : [];
  }

  read(message: ServiceMessage, { receivedMs }: UtteranceProgress): ContextPiece {
    if (message instanceof Uint8Array || message.context_id !== this.#contextId) return {};
    switch (message.type) {
      case 'chunk':
        return typeof message.data === 'string' ? { audio: Buffer.from(message.data, 'base64') } : {};
      case 'timestamps':
        return { words: readWords(message, this.#offsetMs) };
      case 'flush_done':
        this.#pending.shift();
        return {};
      case 'done':
        return this.#done(receivedMs);
      default:
        return {};
    }
  }

  get #contextId(): string {
    return `${this.#id}${separator}${this.#part}`;
  }

  #speak(text: string): VendorFields[] {
    this.#isOpen = true;
    return [
      this.#message({ transcript: text, continue: true }),
      this.#message({ transcript: '', continue: true, flush: true }),
    ];
  }

  #message(fields: VendorFields): VendorFields {
    return { ...this.#request, ...fields, context_id: this.#contextId };
  }

  /**
   * Handles the end of a context. A context that was not ended, or that has unspoken texts, has expired: these texts
   * are spoken on the next context.
   */
  #done(receivedMs: number): ContextPiece {
    const missed = this.#pending;
    if (this.#cancelled || (this.#ended && missed.length === 0)) return { isFinal: true };
    this.#onExpired(this.#contextId);
    this.#part++;
    this.#isOpen = false;
    this.#offsetMs = receivedMs;
    const replies = missed.flatMap((text) => this.#speak(text));
    return { replies: this.#ended ? [...replies, ...this.end()] : replies };
  }
}

/**
 * Returns the protocol of `/tts/websocket`.
 * @param request fields of each request that are the same for all texts
 * @see https://docs.cartesia.ai/use-the-api/tts-websocket/contexts
 */
export function cartesiaProtocol(request: VendorFields): SpeechProtocol {
  return {
    maxContexts: 5,
    closingTimeoutMs: 5_000,
    whenBlocked: 'reconnect',
    connect: () => new CartesiaWire(request),
  };
}

class CartesiaWire implements SpeechWire {
  readonly #request: VendorFields;
  #expired: string[] = [];

  constructor(request: VendorFields) {
    this.#request = request;
  }

  open(contextId: string): SpeechContext {
    return new CartesiaContext(contextId, this.#request, (expired) => {
      this.#expired = [...this.#expired, expired].slice(-maxExpired);
    });
  }

  contextOf(message: ServiceMessage): string | undefined {
    return message instanceof Uint8Array ? undefined : utteranceOf(message.context_id);
  }

  /**
   * Returns the error in a message. The refusal of a text for an expired context is ignored, because the text was sent
   * again on the next context.
   */
  faultOf(message: VendorFields): ServiceFault | undefined {
    const fault = readFault(message);
    if (fault?.contextId !== undefined && this.#expired.includes(fault.contextId)) return undefined;
    return fault && { ...fault, contextId: utteranceOf(fault.contextId) };
  }
}

function utteranceOf(contextId: unknown): string | undefined {
  return typeof contextId === 'string' ? contextId.split(separator)[0] : undefined;
}
