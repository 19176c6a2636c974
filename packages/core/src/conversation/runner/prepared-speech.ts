import { EventQueue } from '../../async/event-queue.ts';
import { toError } from '../../errors.ts';
import type { TtsEvent, TtsUtterance } from '../../ports/providers/text-to-speech.ts';

/** The first clause of a prepared reply, synthesized in advance. Its events are kept until the reply is used. */
export class PreparedSpeech {
  readonly utterance: TtsUtterance;
  readonly text: string;
  /** All events of the utterance, from the first one on. */
  readonly events: EventQueue<TtsEvent> = new EventQueue<TtsEvent>();

  constructor(utterance: TtsUtterance, text: string) {
    this.utterance = utterance;
    this.text = text;
    void this.#read();
    utterance.push(text);
  }

  /** Never rejects. A failure is reported to the reader of `events`. */
  async #read(): Promise<void> {
    try {
      for await (const event of this.utterance) this.events.push(event);
      this.events.end();
    } catch (thrown) {
      this.events.fail(toError(thrown));
    }
  }
}
