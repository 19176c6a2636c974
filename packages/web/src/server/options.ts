import type { WebRtcOptions } from './webrtc/options.ts';

/** Options of `webCalls`. */
export interface WebCallsOptions {
  /** Path segment in the URL that browsers connect to; by default `web`. */
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
   * Accepts audio over WebRTC, on a separate port: `true`, or its settings. Off by default.
   */
  readonly webrtc?: boolean | WebRtcOptions;
  /**
   * Uses 16 kHz audio with pages that support it, at 256 instead of 64 kbit/s per direction. True by default; false for
   * 8 kHz with all pages.
   */
  readonly wideband?: boolean;
}
