import type { Clock, LegEnd, Logger, MediaLeg } from '@va/core/adapter';
import type { OpenMediaStream } from '../stream/awaiting-stream.ts';
import type { MediaStream } from '../stream/media-stream.ts';
import { ApiTransfer } from './api-transfer.ts';
import { type CallCommands, run, transferBlind } from './call-commands.ts';

/** Timeout from the answer of a call to the start of its media stream. */
export const streamMs = 10_000;

export interface CallContext {
  readonly commands: CallCommands;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The part of a call from the start of its media stream to the hang-up. */
export class StreamedCall {
  readonly #stream: MediaStream;
  readonly #callId: string;
  readonly #context: CallContext;
  readonly #transfer: ApiTransfer;
  #isHungUp = false;

  /**
   * @param callerNumber caller id of transfers
   * @param onEnd called once, when the stream has ended
   */
  constructor(
    callId: string,
    callerNumber: string,
    context: CallContext,
    { open, onEnd }: { open: OpenMediaStream; onEnd: () => void },
  ) {
    const { commands, clock, logger } = context;
    this.#callId = callId;
    this.#context = context;
    const transfer = new ApiTransfer(
      (request) => transferBlind({ callId, callerNumber, commands, logger }, request),
      clock,
    );
    this.#transfer = transfer;
    const press = commands.press === undefined ? undefined : this.#press.bind(this);
    this.#stream = open({ transfer: (request) => transfer.request(request), press });
    this.#stream.onEnd(() => void this.#streamEnded().then(onEnd));
  }

  get stream(): MediaStream {
    return this.#stream;
  }

  get leg(): MediaLeg {
    return this.#stream.leg;
  }

  /** Hangs up after the queued audio was played. A transferred far end stays connected to its destination. */
  async hangUp(onEnd: (end: LegEnd) => void): Promise<void> {
    if (!this.#transfer.isDone) {
      await this.#stream.finish();
      await this.#hangUp();
    }
    onEnd({ cause: 'local-hangup' });
  }

  /** Closes the stream after the carrier ended the call. */
  endedByCarrier(): void {
    this.#isHungUp = true;
    this.#stream.close();
  }

  async #streamEnded(): Promise<void> {
    await this.#transfer.settled();
    const isLeft = this.#context.commands.outlivesStream === true && !this.#transfer.isDone;
    if (isLeft) await this.#hangUp();
  }

  async #hangUp(): Promise<void> {
    if (this.#isHungUp) return;
    this.#isHungUp = true;
    const { commands, logger } = this.#context;
    await run(this.#callId, () => commands.hangUp(this.#callId), logger);
  }

  /** Sends DTMF through the API. A failure is logged, and the digits are lost. */
  #press(keys: string, toneMs: number): boolean {
    const { commands, logger } = this.#context;
    const pressing = commands.press?.(this.#callId, keys, toneMs) ?? null;
    if (pressing === null) return false;
    pressing.catch((err: unknown) => logger.warn({ call: this.#callId, err }, 'failed to press keys'));
    return true;
  }
}
