import type { VendorFields } from '../shared/json.ts';
import type {
  ContextPiece,
  ServiceMessage,
  SpeechContext,
  SpeechProtocol,
  UtteranceProgress,
} from '../shared/speech/protocol.ts';
import { readFault } from './fault.ts';
import { WordAssembly } from './words.ts';

/**
 * `inactivity_timeout` of the connection: the time without text after which the service ends a context. The maximum
 * that the service accepts.
 */
export const inactivityTimeoutSeconds = 180;

/** A context of the service. Every text is flushed, because it is a complete clause. */
class ElevenLabsContext implements SpeechContext {
  readonly #contextId: string;
  readonly #settings: VendorFields;
  readonly #words = new WordAssembly();

  constructor(contextId: string, settings: VendorFields) {
    this.#contextId = contextId;
    this.#settings = settings;
  }

  start(): readonly VendorFields[] {
    return [{ text: ' ', context_id: this.#contextId, ...this.#settings }];
  }

  text(text: string): readonly VendorFields[] {
    return [{ text, context_id: this.#contextId, flush: true }];
  }

  end(): readonly VendorFields[] {
    return [{ context_id: this.#contextId, close_context: true }];
  }

  cancel(): readonly VendorFields[] {
    return this.end();
  }

  keepAlive(): readonly VendorFields[] {
    return [{ text: '', context_id: this.#contextId }];
  }

  read(message: ServiceMessage, { receivedMs, text }: UtteranceProgress): ContextPiece {
    if (message instanceof Uint8Array) return {};
    const hasAudio = typeof message.audio === 'string' && message.audio !== '';
    const words = hasAudio ? this.#words.add(message, receivedMs, text) : [];
    const isFinal = message.isFinal === true;
    return {
      words: isFinal ? [...words, ...this.#words.end()] : words,
      isFinal,
      ...(hasAudio && { audio: Buffer.from(String(message.audio), 'base64') }),
    };
  }
}

/**
 * Returns the protocol of `multi-stream-input`: the service accepts five contexts on a connection, and rejects a sixth
 * with `max_active_conversations`.
 * @param settings fields of the first message of each context, such as `voice_settings`
 */
export function elevenLabsProtocol(settings: VendorFields): SpeechProtocol {
  return {
    maxContexts: 5,
    closingTimeoutMs: 5_000,
    whenBlocked: 'reconnect',
    keepAliveMs: 60_000,
    connect: () => ({
      open: (contextId) => new ElevenLabsContext(contextId, settings),
      contextOf(message) {
        if (message instanceof Uint8Array) return undefined;
        return typeof message.contextId === 'string' ? message.contextId : undefined;
      },
      faultOf: readFault,
      keepAlive: () => [{ text: '' }],
    }),
  };
}
