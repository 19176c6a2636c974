import type { ModelUsage } from '@va/core/adapter';
import { fieldsOf, parseFields, type VendorFields } from '../shared/json.ts';
import { type ReportedError, readReportedError } from './fault.ts';
import { readResponseUsage, readTranscriptionUsage } from './usage.ts';

/** Events of the provider that the adapter uses. `response` and `item` are the provider's ids. */
export type ServerEvent =
  | { type: 'ready' }
  | { type: 'committed'; item: string }
  | { type: 'transcript'; item: string; text: string; usage?: ModelUsage | undefined }
  | { type: 'response-created'; response: string }
  | { type: 'response-done'; response: string; status: 'completed' | 'cancelled'; usage: ModelUsage | undefined }
  | {
      type: 'response-done';
      response: string;
      status: 'failed';
      reported: ReportedError;
      usage: ModelUsage | undefined;
    }
  | { type: 'item-added'; response: string; item: string; call: string | undefined }
  | { type: 'audio'; response: string; item: string; base64: string }
  | { type: 'text'; response: string; item: string; text: string }
  /** Some vendors omit `response` and `item`. */
  | {
      type: 'call';
      response: string | undefined;
      item: string | undefined;
      id: string;
      name: string;
      arguments: string;
    }
  | { type: 'error'; reported: ReportedError };

/**
 * Reads a message. Returns `unreadable` if it is no JSON object with a type, or if a known event lacks mandatory
 * fields; returns `other` for events that are irrelevant to a phone call.
 */
export function readServerEvent(text: string): ServerEvent | 'unreadable' | 'other' {
  const fields = parseFields(text);
  if (typeof fields?.type !== 'string') return 'unreadable';
  const read = readers.get(fields.type);
  return read === undefined ? 'other' : read(fields);
}

type ServerEventResult = ServerEvent | 'unreadable' | 'other';

const readers: ReadonlyMap<string, (fields: VendorFields) => ServerEventResult> = new Map([
  ['session.updated', (): ServerEventResult => ({ type: 'ready' })],
  ['input_audio_buffer.committed', withItem((item) => ({ type: 'committed', item }))],
  ['conversation.item.input_audio_transcription.completed', withItem(readTranscript)],
  ['conversation.item.input_audio_transcription.failed', withItem((item) => ({ type: 'transcript', item, text: '' }))],
  ['response.created', readCreated],
  ['response.done', readDone],
  ['response.output_item.added', readItemAdded],
  ['response.output_item.done', readItemDone],
  ['response.output_audio.delta', withDelta((response, item, base64) => ({ type: 'audio', response, item, base64 }))],
  ['response.output_audio_transcript.delta', withDelta(toText)],
  ['response.output_text.delta', withDelta(toText)],
  ['response.function_call_arguments.done', readArguments],
  ['error', readError],
]);

function readError({ error }: VendorFields): ServerEventResult {
  const { type, code, message } = fieldsOf(error) ?? {};
  const saysSomething = [type, code, message].some((each) => typeof each === 'string');
  return saysSomething ? { type: 'error', reported: readReportedError(error) } : 'unreadable';
}

function toText(response: string, item: string, text: string): ServerEventResult {
  return { type: 'text', response, item, text };
}

function withItem(
  make: (item: string, fields: VendorFields) => ServerEventResult,
): (fields: VendorFields) => ServerEventResult {
  return (fields) => (typeof fields.item_id === 'string' ? make(fields.item_id, fields) : 'unreadable');
}

function withDelta(
  make: (response: string, item: string, delta: string) => ServerEventResult,
): (fields: VendorFields) => ServerEventResult {
  return ({ response_id: response, item_id: item, delta }) =>
    typeof response === 'string' && typeof item === 'string' && typeof delta === 'string'
      ? make(response, item, delta)
      : 'unreadable';
}

/** xAI sends partial transcripts under the same name, with a status that marks them. */
function readTranscript(item: string, { transcript, status, usage }: VendorFields): ServerEventResult {
  if (status === 'in_progress') return 'other';
  if (typeof transcript !== 'string') return 'unreadable';
  return { type: 'transcript', item, text: transcript.trim(), usage: readTranscriptionUsage(usage) };
}

function readCreated({ response }: VendorFields): ServerEventResult {
  const id = fieldsOf(response)?.id;
  return typeof id === 'string' ? { type: 'response-created', response: id } : 'unreadable';
}

function readDone(fields: VendorFields): ServerEventResult {
  const { id: response, status, status_details: details, usage: counts } = fieldsOf(fields.response) ?? {};
  if (typeof response !== 'string') return 'unreadable';
  const usage = readResponseUsage(counts);
  if (status === 'failed') {
    return { type: 'response-done', response, status, reported: readReportedError(fieldsOf(details)?.error), usage };
  }
  // An `incomplete` response reached its length limit: its content counts.
  return { type: 'response-done', response, status: status === 'cancelled' ? 'cancelled' : 'completed', usage };
}

function readItemAdded({ response_id: response, item }: VendorFields): ServerEventResult {
  const { id, call_id: call } = fieldsOf(item) ?? {};
  if (typeof response !== 'string' || typeof id !== 'string') return 'unreadable';
  return { type: 'item-added', response, item: id, call: typeof call === 'string' ? call : undefined };
}

/** Reads a tool call. An interrupted item is reported as done too; the arguments of its tool call are incomplete. */
function readItemDone({ response_id: response, item }: VendorFields): ServerEventResult {
  const fields = fieldsOf(item);
  if (fields === undefined) return 'unreadable';
  if (fields.type !== 'function_call' || fields.status === 'incomplete') return 'other';
  return readCall(fields, response, fields.id);
}

function readArguments(fields: VendorFields): ServerEventResult {
  const call = readCall(fields, fields.response_id, fields.item_id);
  // This event is also sent for an interrupted tool call, and some vendors omit the name of the tool. In both cases
  // `response.output_item.done` decides.
  return typeof call === 'object' && call.type === 'call' && parseFields(call.arguments) === undefined ? 'other' : call;
}

function readCall(
  { call_id: id, name, arguments: text }: VendorFields,
  response: unknown,
  item: unknown,
): ServerEventResult {
  if (typeof id !== 'string' || typeof text !== 'string') return 'unreadable';
  if (typeof name !== 'string' || name === '') return 'other';
  return {
    type: 'call',
    response: typeof response === 'string' ? response : undefined,
    item: typeof item === 'string' ? item : undefined,
    id,
    name,
    arguments: text.trim() === '' ? '{}' : text,
  };
}
