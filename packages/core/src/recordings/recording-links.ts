import { createHmac, timingSafeEqual } from 'node:crypto';
import { VaError } from '../errors.ts';
import { isUuid } from '../ids.ts';
import type { Clock } from '../ports/clock.ts';
import type { RecordingStore, StoredRecording } from '../ports/recordings.ts';

const leastKeyBytes = 32;

/** Options of links to recordings. */
export interface RecordingLinksOptions {
  /** At least 32 random bytes, or base64 of them; the same on every node. Links made with another key are invalid. */
  readonly key: Uint8Array | string;
}

/** Opens the recording of a link; null if the link is forged or expired, or the recording does not exist. */
export type OpenLinked = (link: string) => Promise<StoredRecording | null>;

/**
 * Signs links to recordings for stores without links of their own. A link contains the call id and its expiry under an
 * HMAC-SHA-256, and is served by the API without a key.
 * @throws VaError `invalid_recording_link_key`
 */
export class RecordingLinks {
  readonly #key: Uint8Array;
  readonly #clock: Clock;
  readonly #recordings: RecordingStore;
  readonly #baseUrl: string;

  constructor(
    { key }: RecordingLinksOptions,
    parts: { readonly clock: Clock; readonly recordings: RecordingStore; readonly baseUrl: string },
  ) {
    this.#key = typeof key === 'string' ? Buffer.from(key, 'base64') : key;
    this.#clock = parts.clock;
    this.#recordings = parts.recordings;
    this.#baseUrl = parts.baseUrl;
    if (this.#key.byteLength >= leastKeyBytes) return;
    throw new VaError(
      'invalid_recording_link_key',
      `The key of recording links must have at least ${leastKeyBytes} bytes.`,
    );
  }

  async link(orgId: string, callId: string, expiresInSeconds: number): Promise<string | null> {
    const endsAt = Math.ceil(this.#clock.wallMs() / 1_000) + expiresInSeconds;
    const named = `${orgId}.${callId}.${endsAt}`;
    return `${this.#baseUrl}/${named}.${this.#sign(named)}`;
  }

  open: OpenLinked = async (link) => {
    const [orgId = '', callId = '', endsAt = '', signature = '', ...rest] = link.split('.');
    const expected = Buffer.from(this.#sign(`${orgId}.${callId}.${endsAt}`));
    const given = Buffer.from(signature);
    if (rest.length > 0 || given.byteLength !== expected.byteLength || !timingSafeEqual(given, expected)) return null;
    if (!isUuid(orgId) || !isUuid(callId) || Number(endsAt) * 1_000 <= this.#clock.wallMs()) return null;
    return await this.#recordings.open(orgId, callId);
  };

  #sign(named: string): string {
    return createHmac('sha256', this.#key).update(`recording ${named}`).digest('base64url');
  }
}
