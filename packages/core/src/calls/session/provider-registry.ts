import { VaError } from '../../errors.ts';
import type { LanguageModel } from '../../ports/providers/language-model.ts';
import type { Provider } from '../../ports/providers/provider.ts';
import type { RealtimeModel } from '../../ports/providers/realtime-model.ts';
import type { SpeechToText } from '../../ports/providers/speech-to-text.ts';
import type { TextToSpeech } from '../../ports/providers/text-to-speech.ts';

type Kinds = { stt: SpeechToText; llm: LanguageModel; tts: TextToSpeech; realtime: RealtimeModel };

/** The host's providers by kind and id. */
export class ProviderRegistry {
  readonly #providers = new Map<string, Provider>();

  /** @throws VaError `duplicate_provider` if two of a kind have the same id */
  constructor(providers: readonly Provider[]) {
    for (const provider of providers) {
      for (const name of namesOf(provider)) {
        const key = `${provider.kind}:${name}`;
        if (this.#providers.has(key)) {
          throw new VaError(
            'duplicate_provider',
            `Two ${provider.kind} providers have the id ${name}; ids must be unique.`,
          );
        }
        this.#providers.set(key, provider);
      }
    }
  }

  /** Returns true for the name of a speech-to-speech model. */
  isRealtime(name: string): boolean {
    return this.#providers.has(`realtime:${name}`);
  }

  /** @throws VaError `unknown_provider` */
  find<Kind extends keyof Kinds>(kind: Kind, id: string): Kinds[Kind] {
    const provider = this.#providers.get(`${kind}:${id}`);
    if (provider === undefined) {
      const known = [...this.#providers.values()].filter((each) => each.kind === kind).map((each) => each.id);
      throw new VaError(
        'unknown_provider',
        `There is no ${kind} provider ${id}; registered are: ${known.join(', ') || 'none'}.`,
      );
    }
    return provider as Kinds[Kind];
  }
}

/** Returns the names by which agents refer to a provider: its id, and the aliases of a speech-to-speech model. */
export function namesOf(provider: Provider): readonly string[] {
  return provider.kind === 'realtime' ? [provider.id, ...(provider.aliases ?? [])] : [provider.id];
}
