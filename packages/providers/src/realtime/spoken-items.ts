import { Base64SampleDecoder } from './base64-sample-decoder.ts';
import type { Conversation, MessageEntry } from './conversation.ts';

/** Maximum number of items that can still be truncated. */
const maxItems = 50;

/** Message of the model that was passed to the pipeline, at least in part. */
export interface SpokenItem {
  readonly entry: MessageEntry;
  readonly decoder: Base64SampleDecoder;
  /** Connection on which the item was spoken: the id of the item is unknown on others. */
  readonly connection: object | undefined;
  receivedBytes: number;
  /** True if the pipeline has read audio or text of the item: the pipeline truncates only such items. */
  isRead: boolean;
}

/** The items of the model's responses: those passed to the pipeline, and the others of the active response. */
export class SpokenItems {
  readonly #conversation: Conversation;
  readonly #bytesPerSample: number;
  readonly #items = new Map<string, SpokenItem>();
  /** Ids of the items that were not passed to the pipeline, with the id of the tool call if the item is one. */
  readonly #withheld = new Map<string, string | undefined>();

  constructor(conversation: Conversation, bytesPerSample: number) {
    this.#conversation = conversation;
    this.#bytesPerSample = bytesPerSample;
  }

  get(item: string): SpokenItem | undefined {
    return this.#items.get(item);
  }

  /** Adds an item that the provider has begun in the active response. */
  added(item: string, call: string | undefined): void {
    if (!this.#items.has(item)) this.#withheld.set(item, call);
  }

  /** Returns the item, and marks it as passed to the pipeline. */
  pass(item: string, connection: object | undefined): SpokenItem {
    this.#withheld.delete(item);
    const known = this.#items.get(item);
    if (known !== undefined) return known;
    const entry = this.#conversation.addMessage('assistant', '');
    const decoder = new Base64SampleDecoder(this.#bytesPerSample);
    const spoken: SpokenItem = { entry, decoder, connection, receivedBytes: 0, isRead: false };
    this.#items.set(item, spoken);
    const [oldest] = this.#items.keys();
    if (this.#items.size > maxItems && oldest !== undefined) this.#items.delete(oldest);
    return spoken;
  }

  read(item: string): void {
    const spoken = this.#items.get(item);
    if (spoken !== undefined) spoken.isRead = true;
  }

  /** Drops the item if the pipeline has read nothing of it; returns true if it was dropped. */
  forget(item: string): boolean {
    const spoken = this.#items.get(item);
    if (spoken === undefined || spoken.isRead) return false;
    spoken.entry.text = '';
    return this.#items.delete(item);
  }

  /** Drops an item that the caller did not hear. */
  drop(item: string): void {
    const spoken = this.#items.get(item);
    if (spoken !== undefined) spoken.entry.text = '';
    this.#items.delete(item);
  }

  passCall(call: string, item: string | undefined): void {
    for (const [withheld, itsCall] of this.#withheld)
      if (withheld === item || itsCall === call) this.#withheld.delete(withheld);
  }

  /** Returns the items of the ended response that were not passed to the pipeline. */
  takeWithheld(): readonly string[] {
    const withheld = [...this.#withheld.keys()];
    this.#withheld.clear();
    return withheld;
  }
}

/** Truncates a text to the words that the caller heard. @param share heard fraction of the audio, from 0 to 1 */
export function heardPart(text: string, share: number): string {
  const words = text.match(/\s*\S+/g) ?? [];
  return words.slice(0, Math.floor(words.length * share)).join('');
}
