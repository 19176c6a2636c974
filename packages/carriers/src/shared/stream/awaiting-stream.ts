import type { MediaStream } from './media-stream.ts';
import type { TransferLeg } from './stream-leg.ts';

/** What a call gives to its new media stream. */
export interface StreamSettings {
  readonly transfer: TransferLeg;
  readonly press: ((keys: string, toneMs: number) => boolean) | undefined;
}

/** Opens the media stream of a call. */
export type OpenStream = (settings: StreamSettings) => MediaStream;

/** A call that waits for its media stream. */
export interface AwaitingStream {
  /**
   * Takes the media stream. Returns null if the call has ended meanwhile.
   * @param callId the carrier's id of the call, if the stream names it
   */
  connected(callId: string | null, open: OpenStream): MediaStream | null;
}
