import type { CallCommands } from '../../src/shared/call/call-commands.ts';
import type { OpenMediaStream } from '../../src/shared/stream/awaiting-stream.ts';
import type { MediaStream } from '../../src/shared/stream/media-stream.ts';

/** Commands of a carrier that are recorded, and succeed unless `fail` is set. */
export class FakeCommands implements CallCommands {
  readonly outlivesStream: boolean;
  readonly run: string[] = [];
  fail: Error | null = null;
  /** Reason with which transfers are refused. */
  refusal: string | null = null;

  constructor(outlivesStream = false) {
    this.outlivesStream = outlivesStream;
  }

  async hangUp(callId: string): Promise<void> {
    this.run.push(`hang up ${callId}`);
    if (this.fail !== null) throw this.fail;
  }

  async transfer(callId: string, destination: string, callerNumber: string): Promise<string | null> {
    this.run.push(`transfer ${callId} to ${destination} from ${callerNumber}`);
    if (this.fail !== null) throw this.fail;
    return this.refusal;
  }
}

/** A media stream that the test ends. */
export class FakeStream {
  readonly leg = {};
  isClosed = false;
  #onEnd: (() => void) | null = null;
  settings: Parameters<OpenMediaStream>[0] | null = null;
  /** Resolves `finish`: the queued audio was played. */
  played: () => void = () => {};

  readonly open: OpenMediaStream = (settings) => {
    this.settings = settings;
    return this as unknown as MediaStream;
  };

  onEnd(listener: () => void): void {
    this.#onEnd = listener;
  }

  finish(): Promise<void> {
    return new Promise((resolve) => {
      this.played = resolve;
    });
  }

  close(): void {
    this.isClosed = true;
    this.end();
  }

  /** Ends the stream from either side, once. */
  end(): void {
    const onEnd = this.#onEnd;
    this.#onEnd = null;
    onEnd?.();
  }
}
