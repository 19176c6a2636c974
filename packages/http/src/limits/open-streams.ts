import { type Principal, RequestError } from '@va/core';
import { type Credentials, type HandlerHost, requireScope, type Timer } from '@va/core/adapter';
import { HttpError } from '../message/http-error.ts';
import type { RateLimitOptions } from './rate-limits.ts';

/** Interval at which the key of an open stream is checked, to detect revocation on another node. */
const checkEveryMs = 15_000;

/** Maximum numbers of open event streams. */
export interface StreamLimits {
  /** 0 turns the limit off. */
  readonly perKey: number;
  readonly perOrganization: number;
}

/** Returns the limits of event streams, with their defaults. */
export function streamLimits({
  streamsPerKey = 20,
  streamsPerOrganization = 100,
}: RateLimitOptions = {}): StreamLimits {
  return { perKey: streamsPerKey, perOrganization: streamsPerOrganization };
}

/** An event stream that passed the limits. */
export interface AdmittedStream {
  /** Calls `end` when the stream's key is revoked, has expired or has lost the scope. */
  watch(end: () => void): void;
  /** Removes the stream from the count of open streams. */
  close(): void;
}

interface OpenStream {
  readonly orgId: string;
  readonly key: string;
  readonly keyId: string | null;
  end: () => void;
}

/** Limits the endless streams of this process per key and organization, and ends those whose key became invalid. */
export class OpenStreams {
  readonly #host: Pick<HandlerHost, 'authenticate' | 'clock' | 'operations'>;
  readonly #limits: StreamLimits;
  readonly #open = new Set<OpenStream>();
  readonly #unsubscribe: () => void;

  constructor(host: Pick<HandlerHost, 'authenticate' | 'clock' | 'operations'>, limits: StreamLimits) {
    this.#host = host;
    this.#limits = limits;
    this.#unsubscribe = host.operations.apiKeys.onRevoked((keyId) => {
      for (const stream of [...this.#open]) if (stream.keyId === keyId) stream.end();
    });
  }

  /** @throws RequestError 429 `too_many_streams` */
  admit({ orgId, keyId, subject }: Principal, credentials: Credentials, scope: string): AdmittedStream {
    const key = keyId ?? subject ?? '';
    const own = [...this.#open].filter((stream) => stream.orgId === orgId);
    const { perKey, perOrganization } = this.#limits;
    refuseOver(perOrganization, own.length, 'The organization');
    refuseOver(perKey, own.filter((stream) => stream.key === key).length, 'The key');
    const stream: OpenStream = { orgId, key, keyId, end: () => {} };
    this.#open.add(stream);
    let timer: Timer | null = null;
    const check = async (): Promise<void> => {
      const isValid = await this.#isValid(credentials, orgId, scope);
      if (!this.#open.has(stream)) return;
      if (isValid) timer = this.#host.clock.setTimer(checkEveryMs, () => void check());
      else stream.end();
    };
    return {
      watch: (end) => {
        stream.end = end;
        timer = this.#host.clock.setTimer(checkEveryMs, () => void check());
      },
      close: () => {
        this.#open.delete(stream);
        timer?.cancel();
      },
    };
  }

  close(): void {
    this.#unsubscribe();
  }

  /**
   * Returns true if the credentials still have the scope. Errors other than 401 and 403 count as valid, so that an
   * outage of the storage ends no stream.
   */
  async #isValid(credentials: Credentials, orgId: string, scope: string): Promise<boolean> {
    try {
      const principal = await this.#host.authenticate(credentials);
      requireScope(principal, scope);
      return principal.orgId === orgId;
    } catch (thrown) {
      return !(thrown instanceof RequestError && (thrown.status === 401 || thrown.status === 403));
    }
  }
}

function refuseOver(limit: number, open: number, owner: string): void {
  if (limit === 0 || open < limit) return;
  const message = `${owner} already has ${limit} open event streams. Close one first.`;
  throw new HttpError(429, 'too_many_streams', message, { 'retry-after': '15' });
}
