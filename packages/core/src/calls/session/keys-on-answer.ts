import { dtmfDurationMs } from '@va/media';
import { defaultToneMs } from '../../domain/numbers/dtmf-keys.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { MediaLeg } from '../../ports/telephony.ts';
import type { Scope } from '../scope.ts';

interface KeysOnAnswerOptions {
  readonly leg: MediaLeg;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly scope: Scope;
}

/** Presses keys on an answered line, such as an extension, before its conversation begins. */
export class KeysOnAnswer {
  readonly #options: KeysOnAnswerOptions;
  #areBeingPressed = false;

  constructor(options: KeysOnAnswerOptions) {
    this.#options = options;
  }

  get areBeingPressed(): boolean {
    return this.#areBeingPressed;
  }

  /**
   * Sends `keys` as DTMF, then calls `pressed`; at once if there are none or the leg cannot send DTMF. Closing the
   * scope cancels the pending callback. The leg's media must be running, because DTMF is sent in place of audio.
   */
  press(keys: string | null, pressed: () => void): void {
    const { leg, clock, logger, scope } = this.#options;
    if (keys === null || leg.sendDtmf === undefined) {
      if (keys !== null) logger.warn({}, 'no digits are sent: the telephony adapter of the call does not support them');
      pressed();
      return;
    }
    this.#areBeingPressed = true;
    leg.sendDtmf(keys, defaultToneMs);
    const timer = clock.setTimer(dtmfDurationMs(keys, defaultToneMs), () => {
      this.#areBeingPressed = false;
      pressed();
    });
    scope.onClose(() => timer.cancel());
  }
}
