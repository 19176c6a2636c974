import { hrClock } from '../hr-clock.ts';
import { frameMs, type LatenessFrom, Phone } from './phone.ts';

const slotMs = 1;

/** A phone, and the connection over which its frames are sent. */
export interface Line {
  readonly phone: Phone;
  /** Sends 20 ms of audio now; the frame may be kept. */
  send(frame: Uint8Array): void;
}

/**
 * Many cheap phones, for which one CPU is enough. Their frames are spread evenly over 20 ms; missed slots are caught up
 * on.
 */
export abstract class PhoneBank {
  isMeasured = false;
  readonly #lines: Line[] = [];
  readonly #latenessFrom: LatenessFrom;
  readonly #startedAtMs = hrClock.nowMs();
  #slot = 0;

  constructor(latenessFrom: LatenessFrom) {
    this.#latenessFrom = latenessFrom;
    this.#pace();
  }

  get phones(): readonly Phone[] {
    return this.#lines.map(({ phone }) => phone);
  }

  /** Calls the agent; resolves when it has answered. */
  async dial(): Promise<Phone> {
    const line = await this.connect(this.#lines.length, new Phone(this.#latenessFrom));
    this.#lines.push(line);
    return line.phone;
  }

  /** Hangs up all phones. */
  abstract close(): Promise<void>;

  /** Connects a phone; resolves when the agent has answered. */
  protected abstract connect(index: number, phone: Phone): Promise<Line>;

  /** Passes received audio to a phone; it begins at byte `from` of `data`. */
  protected hear(phone: Phone, data: Uint8Array, from: number): void {
    phone.hear(data, from, { atMs: hrClock.nowMs(), isMeasured: this.isMeasured });
  }

  #pace(): void {
    const nowMs = hrClock.nowMs();
    const due = Math.floor((nowMs - this.#startedAtMs) / slotMs);
    for (; this.#slot < due; this.#slot += 1) {
      for (let at = this.#slot % frameMs; at < this.#lines.length; at += frameMs) {
        const line = this.#lines[at];
        line?.send(line.phone.next(nowMs));
      }
    }
    setTimeout(() => this.#pace(), slotMs);
  }
}
