import type { Clock, RandomBytes } from '@va/core/adapter';
import { bindingRequest, hasIntegrity, type StunMessage } from '../stun/message.ts';
import { bindingErrorResponse, bindingResponse } from '../stun/response.ts';
import type { MediaPath } from './media-path.ts';

/** Bytes of username fragment and password: 48 and 144 bits; ICE requires 24 and 128. @see RFC 8445 §5.3 */
const ufragBytes = 6;
const passwordBytes = 18;

/** Result of a connectivity check. */
export interface CheckResult {
  readonly response: Buffer;
  /** True if the check proves that the path belongs to the far end. */
  readonly isValid: boolean;
}

/**
 * The ICE-lite agent of one connection: answers the checks of the far end, which selects
 * the path.
 * @see RFC 8445 §2.5, §7.3
 */
export class IceAgent {
  readonly ufrag: string;
  readonly password: string;
  readonly #clock: Clock;
  readonly #username: string;
  #selected: MediaPath | null = null;
  #isNominated = false;
  /** Timestamp of the last valid check, which renews the far end's consent. @see RFC 7675 */
  consentAtMs: number;

  constructor(clock: Clock, random: RandomBytes, remoteUfrag: string) {
    // ICE allows the characters of Base64 but not those of Base64url.
    const text = (bytes: number): string => Buffer.from(random(bytes)).toString('base64').replace(/=/g, '');
    this.ufrag = text(ufragBytes);
    this.password = text(passwordBytes);
    this.#clock = clock;
    this.#username = `${this.ufrag}:${remoteUfrag}`;
    this.consentAtMs = clock.nowMs();
  }

  /** The path to send on; null before the first valid check. */
  get selected(): MediaPath | null {
    return this.#selected;
  }

  /** Returns the response to a check; null if the check is not authentic and must not be answered. */
  check(message: StunMessage, bytes: Buffer, path: MediaPath): CheckResult | null {
    if (message.type !== bindingRequest || !message.hasFingerprint || message.username !== this.#username) return null;
    if (!hasIntegrity(bytes, message, this.password)) return null;
    const { transactionId, unknown } = message;
    const refuse = (code: 420 | 487): CheckResult => ({
      response: bindingErrorResponse(transactionId, code, this.password, unknown),
      isValid: false,
    });
    if (unknown.length > 0) return refuse(420);
    // An ICE-lite agent is always controlled. @see RFC 8445 §6.1.1
    if (message.isControlled) return refuse(487);
    this.consentAtMs = this.#clock.nowMs();
    this.#select(path, message.useCandidate);
    return { response: bindingResponse(transactionId, path.remote, this.password), isValid: true };
  }

  /** Uses the last checked path until the far end nominates one. */
  #select(path: MediaPath, isNominated: boolean): void {
    if (!isNominated && this.#isNominated && this.#selected?.isOpen === true) return;
    this.#selected = path;
    this.#isNominated = isNominated;
  }
}
