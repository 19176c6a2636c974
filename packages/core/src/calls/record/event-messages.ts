import type { TranscriptMessage } from '../../domain/calls/call.ts';
import type { CallEventData } from '../../domain/calls/call-event.ts';
import type { Storage } from '../../ports/storage/storage.ts';

/** Maximum events read of a call: twelve hours at one event every four seconds. */
const maxEvents = 10_000;
const pageSize = 1_000;

/**
 * Returns the transcript of a call from its stored events, for a live call or one whose process died before it stored
 * the record. An agent's turn has an event per utterance, each with everything heard of the turn so far.
 */
export async function messagesOfEvents(
  { callEvents }: Pick<Storage, 'callEvents'>,
  orgId: string,
  callId: string,
): Promise<TranscriptMessage[]> {
  const messages: TranscriptMessage[] = [];
  let seq = 0;
  for (let read = 0; read < maxEvents; read += pageSize) {
    const where = { call_id: callId, type: 'transcript' as const, seq: { gte: seq + 1 } };
    const events = await callEvents.list(orgId, { where, order: 'oldest', limit: pageSize });
    for (const event of events) if (event.type === 'transcript') add(messages, event.data);
    if (events.length < pageSize) break;
    seq = events.at(-1)?.seq ?? seq;
  }
  return messages;
}

function add(messages: TranscriptMessage[], { role, content }: CallEventData['transcript']): void {
  if (content === '') return;
  const last = messages.at(-1);
  if (role === 'assistant' && last?.role === 'assistant' && content.startsWith(last.content)) messages.pop();
  messages.push({ role, content });
}
