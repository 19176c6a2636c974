import type { ServiceFault } from '../../shared/faults/service-fault.ts';
import type { VendorFields } from '../../shared/json.ts';
import type {
  ContextPiece,
  ServiceMessage,
  SpeechContext,
  SpeechProtocol,
  SpeechWire,
} from '../../shared/speech/protocol.ts';
import { splitText } from '../../shared/speech/split-text.ts';

/** The service rejects longer texts in one message. */
const maxCharacters = 2_000;

/**
 * Utterance of Aura. The service speaks texts on a Flush, of which it accepts 20 in a minute. So a Flush is sent only
 * when the service has nothing else to speak, and covers all texts sent since the last one.
 * @see https://developers.deepgram.com/docs/tts-ws-flush
 */
class AuraContext implements SpeechContext {
  #hasUnflushed = false;
  #isFlushing = false;
  #ended = false;
  #cancelled = false;

  get isIdle(): boolean {
    return !this.#hasUnflushed && !this.#isFlushing;
  }

  start(): readonly VendorFields[] {
    return [];
  }

  text(text: string): readonly VendorFields[] {
    this.#hasUnflushed = true;
    const parts = splitText(text, maxCharacters);
    return [...parts.map((part) => ({ type: 'Speak', text: part })), ...this.#flush()];
  }

  end(): readonly VendorFields[] {
    this.#ended = true;
    return this.#flush();
  }

  cancel(): readonly VendorFields[] {
    this.#cancelled = true;
    return [{ type: 'Clear' }];
  }

  read(message: ServiceMessage): ContextPiece {
    if (message instanceof Uint8Array) return { audio: message };
    if (message.type === 'Cleared') return { isFinal: this.#cancelled };
    if (message.type !== 'Flushed' || !this.#isFlushing || this.#cancelled) return {};
    this.#isFlushing = false;
    return { replies: this.#flush(), isFinal: this.#ended && this.isIdle };
  }

  #flush(): readonly VendorFields[] {
    if (this.#isFlushing || !this.#hasUnflushed) return [];
    this.#isFlushing = true;
    this.#hasUnflushed = false;
    return [{ type: 'Flush' }];
  }
}

/** Messages of the service name no context, so a connection has one context at a time. */
class AuraWire implements SpeechWire {
  #contextId: string | undefined;

  open(contextId: string): SpeechContext {
    this.#contextId = contextId;
    return new AuraContext();
  }

  contextOf(): string | undefined {
    return this.#contextId;
  }

  /**
   * Returns errors, and the warning about a refused Flush: its text would never be spoken on this connection, and
   * another connection has a limit of its own.
   */
  faultOf({ type, code, description, err_msg }: VendorFields): ServiceFault | undefined {
    const said = [description, err_msg, code].find((text) => typeof text === 'string' && text !== '');
    const message = String(said ?? 'an error without a message');
    if (type === 'Error') return { fault: 'unavailable', message };
    const isFlush = type === 'Warning' && /flush/i.test(`${String(code)} ${message}`);
    return isFlush ? { fault: 'unavailable', message } : undefined;
  }
}

/** Protocol of `/v1/speak`. */
export const auraProtocol: SpeechProtocol = {
  maxContexts: 1,
  closingTimeoutMs: 1_000,
  whenBlocked: 'wait',
  connect: () => new AuraWire(),
};
