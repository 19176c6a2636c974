import type { Timer } from '@va/core/adapter';
import { Base64SampleDecoder } from '../realtime/base64-sample-decoder.ts';
import type { MessageEntry } from '../realtime/conversation.ts';
import { heardPart } from '../realtime/spoken-items.ts';
import type { Activity } from './activity.ts';

/** Bytes per millisecond of 16-bit audio at 24 kHz. */
const bytesPerMs = 48;

/** Request for a response, with the number that the pipeline gave it. */
export interface GenerationRequest {
  readonly response: number;
  readonly withTools: boolean;
  readonly say: string | undefined;
  /** Input that the response answers; undefined until the service is asked for the response. */
  activity: Activity | undefined;
}

/** The response that the service generates. */
export class Generation {
  readonly request: GenerationRequest;
  readonly activity: Activity;
  readonly item: string;
  readonly decoder = new Base64SampleDecoder(2);
  entry: MessageEntry | undefined;
  receivedBytes = 0;
  hasOutput = false;
  /** True from the message that an earlier generation was interrupted until the message that it has ended. */
  awaitsInterruptedEnd = false;
  timeout: Timer | undefined;

  constructor(request: GenerationRequest, activity: Activity, item: string) {
    this.request = request;
    this.activity = activity;
    this.item = item;
  }

  get receivedMs(): number {
    return this.receivedBytes / bytesPerMs;
  }

  /** Truncates the text to the part that the caller heard. Returns a note for the model; undefined if all was heard. */
  truncate(heardMs: number): string | undefined {
    if (this.entry === undefined) return undefined;
    const share = this.receivedMs === 0 ? 0 : Math.min(1, Math.max(0, heardMs) / this.receivedMs);
    const heard = heardPart(this.entry.text, share);
    if (heard === this.entry.text) return undefined;
    this.entry.text = heard;
    const rest = heard.trim() === '' ? 'nothing of it' : `only this part of it: "${heard.trim()}"`;
    return `(Your last reply was interrupted. The caller heard ${rest})`;
  }
}
