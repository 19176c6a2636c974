import type { Call, EndReason, TranscriptMessage } from '../../domain/calls/call.ts';

/** A label and its value. */
export type Fact = readonly [label: string, value: string];

const endings: Readonly<Partial<Record<EndReason, string>>> = {
  user_hangup: 'The caller hung up',
  agent_hangup: 'The agent hung up',
  api_hangup: 'Ended by your system',
  transferred: 'Transferred',
  max_duration: 'The longest duration was reached',
  budget_exceeded: 'The budget was used up',
  silence_timeout: 'Nobody spoke anymore',
  voicemail: 'Voicemail',
  insufficient_credits: 'The minutes ran out',
};

const maxValue = 1_000;
const maxDetails = 50;
const maxMessages = 400;
const maxMessage = 2_000;
/** Maximum characters of the transcript with the markup of its messages: some mail clients cut mails at 102 kB. */
const maxTranscript = 80_000;
const messageOverhead = 200;

/** Returns parties, time, duration and end of a call. */
export function callFacts(call: Call): Fact[] {
  const { caller_phone: other, direction, agent_name: agent, assistant_phone: number, end_reason: reason } = call;
  const facts: readonly (readonly [string, string | null])[] = [
    [direction === 'outbound' ? 'Called' : 'Caller', other],
    ['Agent', agent],
    ['Number', number],
    ['Time', call.answered_at === null ? null : `${call.answered_at.slice(0, 16).replace('T', ' ')} UTC`],
    ['Duration', durationText(call.duration_seconds ?? 0)],
    ['End', reason === null ? null : (endings[reason] ?? `Ended with an error (${reason})`)],
    ['Transferred to', call.transfer_destination],
  ];
  return facts.flatMap(([label, value]): Fact[] => (value === null || value === '' ? [] : [[label, value]]));
}

/** Returns the analysis with a line per key. */
export function analysisFacts({ analysis_result: result }: Call): Fact[] {
  return Object.entries(result ?? {})
    .filter(([, value]) => value !== null && value !== '')
    .slice(0, maxDetails)
    .map(([key, value]) => [label(key), cut(valueText(value), maxValue)]);
}

function valueText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

export interface MailTranscript {
  readonly messages: readonly TranscriptMessage[];
  /** Number of messages at the end that did not fit. */
  readonly omitted: number;
}

/** Returns as much of the transcript as fits into a mail. */
export function mailTranscript({ messages }: Call): MailTranscript {
  const kept: TranscriptMessage[] = [];
  let length = 0;
  for (const { role, content } of messages.slice(0, maxMessages)) {
    const message = { role, content: cut(content, maxMessage) };
    length += message.content.length + messageOverhead;
    if (length > maxTranscript) break;
    kept.push(message);
  }
  return { messages: kept, omitted: messages.length - kept.length };
}

export function durationText(seconds: number): string {
  const two = (n: number): string => String(n).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)} h` : `${minutes}:${two(seconds % 60)} min`;
}

/** Converts `follow_up_date` and `followUpDate` to "Follow up date". */
function label(key: string): string {
  const words = cut(key, 60)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase();
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}…`;
}
