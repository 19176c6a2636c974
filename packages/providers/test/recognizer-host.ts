import type { Logger, SttEvent } from '@va/core/adapter';
import { silentLogger, VirtualClock } from '@va/testkit';
import type { RecognizerHost } from '../src/shared/recognition/recognizer.ts';
import { named } from './recognition.ts';

/** A stream without a service: records what a recognizer emits and sends. */
export class FakeRecognizerHost implements RecognizerHost {
  readonly id = 'mine';
  readonly clock: VirtualClock = new VirtualClock();
  readonly logger: Logger = silentLogger;
  readonly sent: unknown[] = [];
  readonly #events: SttEvent[] = [];
  isConnected = true;
  /** Number of times that the audio was reported as settled. */
  settledCount = 0;

  emit(event: SttEvent): void {
    this.#events.push(event);
  }

  send(message: unknown): boolean {
    if (this.isConnected) this.sent.push(message);
    return this.isConnected;
  }

  redact(text: string): string {
    return text;
  }

  succeeded(): void {}

  settled(): void {
    this.settledCount++;
  }

  /** Returns the events since the last call. */
  take(): string[] {
    return named(this.#events.splice(0));
  }
}
