import type { NewAgent } from '@va/core';

type SpeechAndModel = Pick<NewAgent, 'stt_config' | 'llm_config' | 'tts_config'>;

/** Words of the demo, in which a caller books a table at a restaurant. */

const people = ['one person', 'two people', 'three people', 'four people', 'five people', 'six people'];
const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const times = ['six', 'half past six', 'seven', 'half past seven', 'eight', 'nine'];
const names = ['john smith', 'mary jones', 'anna miller', 'peter brown'];

const choice = (words: readonly string[]): string => `(${words.join(' | ')})`;

/** Grammar of the local recognizer, which recognizes these sentences only. */
const grammar = `#JSGF V1.0;
grammar restaurant;
<people> = ${choice(people)};
<day> = ${choice(days)};
<time> = ${choice(times)};
<name> = ${choice(names)};
<book> = [hello | hi] (i would like | i want) to book a table for <people>;
<when> = [on] <day> [at] <time> [please];
<agree> = yes please | yes | that sounds good;
<refuse> = no | no thank you;
<call_me> = my name is <name>;
<bye> = no thank you goodbye | goodbye | bye bye;
public <sentence> = <book> | <when> | <agree> | <refuse> | <call_me> | <bye>;
`;

const systemPrompt = [
  'You answer the phone of the Harbour Restaurant. Be friendly and brief: one or two short sentences a turn.',
  'Find out for how many people, which day and what time; then call find_table and offer the table it gives.',
  'Once it is accepted, ask for the name, call reserve_table, and confirm.',
  'Say goodbye and call endCall when the caller is done.',
].join(' ');

/** A host tool: it runs in the process of the application that embeds the service. */
const reserveTable = { type: 'host' as const, name: 'reserve_table' };

const findTable = {
  type: 'function' as const,
  name: 'find_table',
  description: 'Looks for a free table at the Harbour Restaurant.',
  parameters: {
    type: 'object',
    properties: { day: { type: 'string' }, time: { type: 'string' } },
    required: ['day', 'time'],
  },
};

/** Rules of the local model for this conversation. */
const rules = [
  {
    when: 'table for (?<people>.+)',
    say: 'With pleasure, a table for $<people>. For which day and what time?',
  },
  {
    when: `(?<day>${days.join('|')})(?: at)? (?<time>half past \\w+|${times.join('|')})`,
    call: { tool: 'find_table', arguments: { day: '$<day>', time: '$<time>' } },
    thenSay:
      'I have table {{result.table}} for you, {{result.place}}, on {{result.day}} at {{result.time}}. ' +
      'That evening our cook serves fresh sole from the harbour, grilled with butter and lemon, and there will ' +
      'be live piano music from eight. ' +
      'Shall I reserve it for you?',
  },
  { when: '^(yes|that sounds)', say: 'Lovely. Under which name may I put it?' },
  {
    when: 'name is (?<name>.+)',
    call: { tool: 'reserve_table', arguments: { name: '$<name>' } },
    thenSay: 'Thank you, {{result.name}}, it is reserved. Anything else?',
  },
  { when: 'bye', say: 'Goodbye, and see you soon.', endCall: true },
  { when: '^no', say: 'All right. What else can I do for you?' },
];

export const firstMessage = 'Harbour Restaurant, good evening. How can I help you?';

/** Configuration of the agent with local speech and a local model. */
export const localConfig: SpeechAndModel = {
  stt_config: { provider: 'pocketsphinx', language: 'en', grammar },
  llm_config: {
    provider: 'scripted',
    messages: [{ role: 'system', content: systemPrompt }],
    tools: [findTable, reserveTable, { type: 'endCall' as const }],
    rules,
    fallback: 'I am sorry, could you say that again?',
  },
  tts_config: { provider: 'flite', voiceId: 'slt' },
};

/** Configuration of the same agent with hosted providers. */
export const hostedConfig: SpeechAndModel = {
  stt_config: { provider: 'deepgram', model: 'nova-3', language: 'en' },
  llm_config: {
    provider: 'openai',
    model: 'gpt-4o-mini',
    messages: [{ role: 'system', content: systemPrompt }],
    tools: [findTable, reserveTable, { type: 'endCall' }],
  },
  tts_config: { provider: 'elevenlabs', model: 'eleven_flash_v2_5' },
};

/** Returns the result of the tool `find_table`, which runs on the customer's server. */
export function tableFor({ day, time }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { table: 'twelve', place: 'by the window', day, time };
}

export interface DemoCallerLine {
  readonly text: string;
  /** Interrupts the agent after this time; by default the caller waits for the end of the agent's turn. */
  readonly interruptAfterMs?: number;
}

/** The lines of the demo's caller. */
export const callerLines: readonly DemoCallerLine[] = [
  { text: 'I would like to book a table for two people' },
  { text: 'on friday at seven' },
  { text: 'yes please', interruptAfterMs: 4_000 },
  { text: 'my name is john smith' },
  { text: 'no thank you goodbye' },
];
