import type { Clock, RandomBytes } from '@va/core/adapter';
import { bindingRequest, hasIntegrity, type StunMessage } from '../stun/message.ts';
import { bindingErrorResponse, bindingResponse } from '../stun/response.ts';
import type { MediaPath } from './media-path.ts';

/** 48 bits, and 144 bits: ICE demands 24 and 128. @see RFC 8445 §5.3 */
const ufragBytes = 6;
const passwordBytes = 18;

/** What becomes of a check. */
export interface CheckResult {
  readonly response: Buffer;
  /** True if packets of the path are the far end's. */
  readonly isValid: boolean;
}

/**
 * The ICE agent of one connection, without checks of its own (ICE-lite): it answers those of the far end, which chooses
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
  /** Time of the last valid check, which is the far end's consent to be sent to. @see RFC 7675 */
  consentAtMs: number;

  constructor(clock: Clock, random: RandomBytes, remoteUfrag: string) {
    // Base64url would need characters that ICE does not allow.
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

  /** Answers a check; null if it must not be answered, because it is not the far end's. */
  check(message: StunMessage, bytes: Buffer, path: MediaPath): CheckResult | null {
    if (message.type !== bindingRequest || !message.hasFingerprint || message.username !== this.#username) return null;
    if (!hasIntegrity(bytes, message, this.password)) return null;
    const { transactionId, unknown } = message;
    const refuse = (code: 420 | 487): CheckResult => ({
      response: bindingErrorResponse(transactionId, code, this.password, unknown),
      isValid: false,
    });
    if (unknown.length > 0) return refuse(420);
    // An agent without checks is always the controlled one. @see RFC 8445 §6.1.1
    if (message.isControlled) return refuse(487);
    this.consentAtMs = this.#clock.nowMs();
    this.#select(path, message.useCandidate);
    return { response: bindingResponse(transactionId, path.remote, this.password), isValid: true };
  }

  /** Before the far end has chosen, the last path that it has tried is as good as any. */
  #select(path: MediaPath, isNominated: boolean): void {
    if (!isNominated && this.#isNominated && this.#selected?.isOpen === true) return;
    this.#selected = path;
    this.#isNominated = isNominated;
  }
}
