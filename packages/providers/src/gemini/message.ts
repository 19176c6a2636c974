import type { ModelUsage } from '@va/core/adapter';
import { fieldsOf, parseFields, stringsOf, type VendorFields } from '../shared/json.ts';
import { readUsage } from './usage.ts';

const maxCalls = 32;

/** Function call of the model. `arguments` is a JSON object as text. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** Content of a message of the service. One message may contain several of these fields, so all are read. */
export interface ServerMessage {
  readonly isReady: boolean;
  /** True if the message has a part of a response, such as a tool call or the end. */
  readonly hasContent: boolean;
  /** Chunks of audio in Base64. */
  readonly audio: readonly string[];
  /** Transcript of the model's speech. */
  readonly outputText: string;
  /** Transcript of the caller's speech. */
  readonly inputText: string;
  readonly interrupted: boolean;
  readonly turnComplete: boolean;
  readonly calls: readonly ToolCall[];
  /** Ids of tool calls whose results are no longer accepted. */
  readonly cancelledCalls: readonly string[];
  readonly usage: ModelUsage | undefined;
  readonly goAwayMs: number | undefined;
  /** Handle to resume the session; `''` while it cannot be resumed, undefined if the message has no update of it. */
  readonly handle: string | undefined;
}

/**
 * Reads a message; undefined if it is not a JSON object. Fields of other shapes are ignored.
 * @see https://ai.google.dev/api/live#BidiGenerateContentServerMessage
 */
export function readMessage(text: string): ServerMessage | undefined {
  const fields = parseFields(text);
  if (fields === undefined) return undefined;
  const content = fieldsOf(fields.serverContent);
  return {
    hasContent: content !== undefined || fieldsOf(fields.toolCall) !== undefined,
    isReady: fieldsOf(fields.setupComplete) !== undefined,
    audio: audioIn(content),
    outputText: textIn(content?.outputTranscription),
    inputText: textIn(content?.inputTranscription),
    interrupted: content?.interrupted === true,
    turnComplete: content?.turnComplete === true,
    calls: callsIn(fieldsOf(fields.toolCall)),
    cancelledCalls: stringsOf(fieldsOf(fields.toolCallCancellation)?.ids).slice(0, maxCalls),
    usage: readUsage(fields.usageMetadata),
    goAwayMs: timeLeftIn(fieldsOf(fields.goAway)),
    handle: handleIn(fieldsOf(fields.sessionResumptionUpdate)),
  };
}

function audioIn(content: VendorFields | undefined): string[] {
  const parts: unknown = fieldsOf(content?.modelTurn)?.parts;
  if (!Array.isArray(parts)) return [];
  return parts.flatMap((part: unknown) => {
    const { data, mimeType } = fieldsOf(fieldsOf(part)?.inlineData) ?? {};
    return typeof data === 'string' && String(mimeType).startsWith('audio/pcm') ? [data] : [];
  });
}

function textIn(transcription: unknown): string {
  const text = fieldsOf(transcription)?.text;
  return typeof text === 'string' ? text : '';
}

function callsIn(toolCall: VendorFields | undefined): ToolCall[] {
  const calls: unknown = toolCall?.functionCalls;
  if (!Array.isArray(calls)) return [];
  return calls.slice(0, maxCalls).flatMap((each: unknown) => {
    const { id, name, args } = fieldsOf(each) ?? {};
    if (typeof id !== 'string' || typeof name !== 'string') return [];
    return [{ id, name, arguments: JSON.stringify(fieldsOf(args) ?? {}) }];
  });
}

/**
 * Reads the time until the connection ends, such as `9.5s`; undefined without a `goAway`. Returns 0 if the time is
 * unreadable, because the connection may end at any time.
 */
function timeLeftIn(goAway: VendorFields | undefined): number | undefined {
  if (goAway === undefined) return undefined;
  const seconds = /^(\d{1,5}(?:\.\d+)?)s$/.exec(String(goAway.timeLeft))?.[1];
  return seconds === undefined ? 0 : Number(seconds) * 1_000;
}

function handleIn(update: VendorFields | undefined): string | undefined {
  if (update === undefined) return undefined;
  return update.resumable === true && typeof update.newHandle === 'string' ? update.newHandle : '';
}
