import type { LegEncoding, MediaControl } from '@va/media';
import type { ConversationState } from '../../conversation/state/conversation-state.ts';
import type { EndReason } from '../../domain/calls/call.ts';
import type { SupervisionMode } from '../../domain/calls/supervision.ts';
import { toError } from '../../errors.ts';
import type { CallDisplay } from '../../ports/call-display.ts';
import type { Logger } from '../../ports/logger.ts';
import type { IncomingCall } from '../../ports/telephony.ts';
import { Supervisor } from './supervisor.ts';

/** Maximum supervisors in one call at a time. */
const maxSupervisors = 5;

export interface CallSupervisionOptions {
  /**
   * Begins or ends a take-over of the conversation. Returns false if it cannot be taken over now: it is not answered
   * yet, is ending or being transferred, or another supervisor has taken over.
   */
  readonly takeOver: (isTakenOver: boolean) => boolean;
  readonly logger: Logger;
}

/** A supervisor's connection to the call. */
interface Participant {
  readonly line: IncomingCall;
  readonly display: CallDisplay | null;
  readonly mode: SupervisionMode;
  readonly over: Promise<void>;
}

/** The people who listen in to one call, and the one who speaks in the agent's place. */
export class CallSupervision {
  readonly #options: CallSupervisionOptions;
  readonly #participants = new Set<Participant>();
  readonly #supervisors = new Set<Supervisor>();
  #media: MediaControl | null = null;
  #encoding: LegEncoding = 'pcmu';
  #talker: Participant | null = null;
  #isOver = false;

  constructor(options: CallSupervisionOptions) {
    this.#options = options;
  }

  /** Takes the media of the call, once it is answered. */
  opened(media: MediaControl, encoding: LegEncoding): void {
    this.#media = media;
    this.#encoding = encoding;
  }

  /** Lets a person join. Resolves when they have left. Never rejects. */
  async join(line: IncomingCall, mode: SupervisionMode): Promise<void> {
    const display = line.openDisplay?.({ text: () => {} }) ?? null;
    let leave = (): void => {};
    const over = new Promise<void>((resolve) => {
      leave = resolve;
    });
    line.onEnd(leave);
    const participant: Participant = { line, display, mode, over };
    if (this.#media === null || this.#participants.size >= maxSupervisors) {
      this.#sendAway(participant, 'declined');
      return;
    }
    this.#participants.add(participant);
    try {
      await this.#converse(participant);
    } catch (thrown) {
      this.#options.logger.warn({ err: toError(thrown) }, 'a supervisor could not join the call');
      line.hangup();
    } finally {
      this.#participants.delete(participant);
    }
  }

  /** Disconnects the supervisor who speaks, once the conversation has ended the take-over. */
  observe({ playout }: ConversationState): void {
    if (this.#talker === null || playout.isTakenOver) return;
    const talker = this.#talker;
    this.#talker = null;
    this.#sendAway(talker, 'declined');
  }

  /** Disconnects all supervisors at the end of the call. Idempotent. */
  close(reason: EndReason): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#media = null;
    for (const participant of this.#participants) this.#sendAway(participant, reason);
  }

  async #converse(participant: Participant): Promise<void> {
    const { logger, takeOver } = this.#options;
    const { line, mode, over } = participant;
    const leg = await line.answer();
    const media = this.#media;
    if (media === null) return;
    const isTalking = mode === 'talk';
    if (isTalking && !takeOver(true)) {
      this.#sendAway(participant, 'declined');
      return;
    }
    if (isTalking) this.#talker = participant;
    const speak = isTalking ? (frame: Uint8Array) => media.speak(frame) : null;
    const supervisor = new Supervisor({ leg, encoding: this.#encoding, speak, logger, onLost: () => line.hangup() });
    logger.info({ mode, leg: line.id }, 'a supervisor has joined the call');
    this.#supervisors.add(supervisor);
    this.#monitor();
    await over;
    supervisor.close();
    this.#supervisors.delete(supervisor);
    this.#monitor();
    logger.info({ mode, leg: line.id }, 'a supervisor has left the call');
    if (this.#talker !== participant) return;
    this.#talker = null;
    takeOver(false);
  }

  #monitor(): void {
    const listener = {
      write: (caller: Uint8Array, agent: Uint8Array): void => {
        for (const supervisor of this.#supervisors) supervisor.write(caller, agent);
      },
    };
    this.#media?.monitor(this.#supervisors.size === 0 ? null : listener);
  }

  #sendAway({ line, display }: Participant, reason: EndReason): void {
    display?.show({ type: 'ended', reason });
    line.hangup();
  }
}
