import type { LanguageModel, RealtimeModel, SpeechToText, TextToSpeech } from '@va/core/adapter';

/** Provider of any of the kinds that the suite tests. */
export type AnyProvider = SpeechToText | LanguageModel | TextToSpeech | RealtimeModel;

/** Faults that a provider's stand-in can be told to produce on the next connection or request. */
export type Trouble =
  /** Rejects permanently: an invalid key. */
  | 'refusal'
  /** Rejects temporarily: overloaded. */
  | 'unavailable'
  /** Sends invalid frames, and messages of other shapes, between its own. */
  | 'garbage'
  /** Reports success without any text or audio. */
  | 'empty'
  /** Splits 16-bit audio at odd bytes. */
  | 'odd-bytes';

/**
 * An adapter and a local stand-in of its provider that speaks the provider's protocol and always sends the same
 * content.
 */
export interface ProviderSubject {
  /** `host:port` of the stand-in. */
  readonly host: string;
  /** Creates the adapter for a provider at this `host:port`, without TLS. */
  provider(host: string): AnyProvider;
  /** Further fields of the agent's configuration, beside the provider's name. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Applies these faults to the next connections, one each. */
  trouble(...troubles: Trouble[]): void;
  close(): Promise<void>;
}

/** Describes the provider under test and opens a stand-in for its service. */
export interface ProviderTestOptions {
  readonly kind: AnyProvider['kind'];
  /** Faults that the stand-in can produce; they select the tests. */
  readonly troubles: readonly Trouble[];
  /** True for a recognizer that contacts its service only when an utterance has ended (`finalize`). Default: false. */
  readonly isPerUtterance?: boolean;
  /** Starts a stand-in for one test. */
  readonly open: () => Promise<ProviderSubject>;
}
