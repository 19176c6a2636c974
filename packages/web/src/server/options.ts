import type { WebRtcOptions } from './webrtc/options.ts';

export interface WebCallsOptions {
  /** Part of the URL that browsers connect to; `web` by default. */
  readonly id?: string;
  /**
   * Origins of the pages that may connect, such as `https://www.example.com`. All by default: the token of a call
   * decides. Clients that send no `Origin`, which are not browsers, are not affected.
   */
  readonly origins?: readonly string[];
  /**
   * Public URL of this process, with the path of the mount, such as `https://node-1.example.com/voice`. Needed with
   * several nodes, so that a page whose connection was lost reaches the node that runs its call. Its first connection
   * may reach any node.
   */
  readonly publicUrl?: string;
  /**
   * Takes the audio of calls over WebRTC too: `true`, or its settings. Opens a port of its own; off by default.
   */
  readonly webrtc?: boolean | WebRtcOptions;
  /**
   * Audio of 16 kHz with pages that support it, at 256 kbit/s per direction instead of 64. True by default; false for
   * 8 kHz with all of them.
   */
  readonly wideband?: boolean;
}
