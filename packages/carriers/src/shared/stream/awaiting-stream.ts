import type { MediaStream } from './media-stream.ts';
import type { TransferLeg } from './stream-leg.ts';

/** Commands to the carrier's API for the leg of a media stream. */
interface StreamSettings {
  readonly transfer: TransferLeg;
  readonly press: ((keys: string, toneMs: number) => boolean) | undefined;
}

/** Opens the media stream of a call. */
export type OpenMediaStream = (settings: StreamSettings) => MediaStream;

/** A call that waits for its media stream. */
export interface AwaitingStream {
  /**
   * Accepts the media stream. Returns null if the call has ended or does not wait for a stream.
   * @param callId the carrier's call id, if the stream has one
   */
  connected(callId: string | null, open: OpenMediaStream): MediaStream | null;
}
