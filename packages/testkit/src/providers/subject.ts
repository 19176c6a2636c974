import type { LanguageModel, RealtimeModel, SpeechToText, TextToSpeech } from '@va/core';

export type AnyProvider = SpeechToText | LanguageModel | TextToSpeech | RealtimeModel;

/** What a provider's stand-in can be told to do with the next connection or request. */
export type Trouble =
  /** Refuses it for good: a key that is not valid. */
  | 'refusal'
  /** Refuses it for now: overloaded. */
  | 'unavailable'
  /** Sends frames that are no messages, and messages of other shapes, between its own. */
  | 'garbage'
  /** Reports success without any text or audio. */
  | 'empty'
  /** Cuts 16-bit audio at odd bytes. */
  | 'odd-bytes';

/**
 * An adapter and a local stand-in of its provider that speaks the provider's protocol, and always has the same to say.
 */
export interface ProviderSubject {
  /** `host:port` of the stand-in. */
  readonly host: string;
  /** The adapter, for a provider at this `host:port`, without TLS. */
  provider(host: string): AnyProvider;
  /** Of the agent's configuration, beside the provider's name. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** The next connections meet these, one each. */
  trouble(...troubles: Trouble[]): void;
  close(): Promise<void>;
}

export interface ProviderTestOptions {
  readonly kind: AnyProvider['kind'];
  /** The troubles that the stand-in can make: tests are chosen by it. */
  readonly troubles: readonly Trouble[];
  /** Starts a stand-in for one test. */
  readonly open: () => Promise<ProviderSubject>;
}
