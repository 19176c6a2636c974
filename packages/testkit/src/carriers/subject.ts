import type { Telephony } from '@va/core/adapter';
import type { CarrierServer, CarrierServerOptions } from '../carrier-servers/index.ts';

/** An adapter, and its carrier on loopback. */
export interface CarrierSubject {
  readonly telephony: Telephony;
  readonly server: CarrierServer;
}

/** Describes the carrier under test and opens it. */
export interface CarrierTestOptions {
  /** Starts the carrier and creates the adapter for it. The suite closes both. */
  readonly open: (options: CarrierServerOptions) => Promise<CarrierSubject>;
  /** Way in which keys are sent to the far end: by a command or message of the carrier, or as tones in the audio. */
  readonly keys: 'commands' | 'tones';
  /** True if the messages of the stream number or time the audio, so that missing audio is noticed. */
  readonly countsLoss: boolean;
}
