import type { Timer } from '@va/core/adapter';
import { Base64SampleDecoder } from '../realtime/base64-sample-decoder.ts';
import type { MessageEntry } from '../realtime/conversation.ts';
import { heardPart } from '../realtime/spoken-items.ts';
import type { Activity } from './activity.ts';

/** 16-bit audio of 24 kHz. */
const bytesPerMs = 48;

export interface GenerationRequest {
  readonly response: number;
  readonly withTools: boolean;
  readonly say: string | undefined;
  /** Input that it answers, once it was requested on a connection. */
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
  /** True from the interruption of an earlier generation up to its end. */
  isBehindInterruption = false;
  timeout: Timer | undefined;

  constructor(request: GenerationRequest, activity: Activity, item: string) {
    this.request = request;
    this.activity = activity;
    this.item = item;
  }

  get receivedMs(): number {
    return this.receivedBytes / bytesPerMs;
  }

  /** Keeps what the caller heard; returns a note of it for the model, undefined if that is everything. */
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
