import type { Scenario } from '@va/testkit/scenarios';
import { cut, heard, rest } from './spoken.ts';

/*
 * The question ends at 1,400. The VAD reports it at 1,960, which ends the turn. The model's first audio follows 100 ms
 * later, and the transcript of the caller 300 ms later.
 */
const story = 'One two three four five six seven eight nine ten eleven twelve.';
const question = { says: 'is it free', fromMs: 1_000, toMs: 1_400 };
const turn = { turn: 'is it free', atMs: 2_260 };

export const realtime: readonly Scenario[] = [
  {
    name: 'answers a turn before its transcript arrives, which is stored before the answer',
    caller: [question],
    realtime: { replies: [['Yes it is.']] },
    hangsUpAtMs: 5_000,
    expect: {
      timeline: [heard('Yes it is.', 2_060), turn],
      transcript: [{ caller: 'is it free' }, { agent: 'Yes it is.' }],
      session: [{ type: 'commit' }, { type: 'respond', say: null }],
      latency: [{ total_ms: 660, endpointing_ms: 560 }],
    },
  },
  {
    name: 'stores a transcript in the order of speech when it arrives after the next turn began',
    caller: [question, { says: 'and tomorrow', fromMs: 4_000, toMs: 4_600 }],
    realtime: { replies: [['Yes.'], ['No.']], wordsAfterMs: 2_500 },
    hangsUpAtMs: 9_000,
    expect: {
      // The second turn ends at 5,160.
      timeline: [
        heard('Yes.', 2_060),
        { ...turn, atMs: 4_460 },
        heard('No.', 5_260),
        { turn: 'and tomorrow', atMs: 7_660 },
      ],
      transcript: [{ caller: 'is it free' }, { agent: 'Yes.' }, { caller: 'and tomorrow' }, { agent: 'No.' }],
    },
  },
  {
    name: 'is truncated to the heard frames by an interruption',
    caller: [question, { says: 'stop it', fromMs: 2_600, toMs: 3_300 }],
    realtime: { replies: [[story], ['Stopped.']] },
    hangsUpAtMs: 7_000,
    expect: {
      timeline: [
        cut(story, 2_060, 3_100),
        turn,
        { interrupted: true, atMs: 3_100 },
        // The transcript arrives 300 ms after the turn ended at 3,860.
        { turn: 'stop it', atMs: 4_160 },
        heard('Stopped.', 4_260),
      ],
      session: [
        { type: 'commit' },
        { type: 'respond' },
        { type: 'commit' },
        { type: 'truncate', heardMs: 1_040 },
        { type: 'respond' },
      ],
    },
  },
  {
    name: 'resumes with the next sample 2 s after a noise',
    caller: [question, { noise: true, fromMs: 2_600, toMs: 3_300 }],
    realtime: { replies: [[story]] },
    hangsUpAtMs: 9_000,
    expect: {
      timeline: [
        cut(story, 2_060, 3_100),
        turn,
        { interrupted: true, atMs: 3_100 },
        { resumed: true, atMs: 5_300 },
        rest(story, 1_040, 5_300),
      ],
      session: [{ type: 'commit' }, { type: 'respond' }, { type: 'commit' }],
    },
  },
  {
    name: 'calls tools on the customer’s server and uses their results',
    agent: { llm_config: { tools: [{ type: 'function', name: 'look', message: 'One moment.' }] } },
    caller: [question],
    realtime: { replies: [[{ calls: 'look', args: { day: 'Monday' } }], ['It is.']] },
    tools: { look: [{ afterMs: 400, body: { result: 'free' } }] },
    hangsUpAtMs: 5_000,
    expect: {
      timeline: [
        { tool: 'look', args: { day: 'Monday' }, atMs: 2_060 },
        turn,
        { result: 'free', of: 'look', atMs: 2_460 },
        heard('It is.', 2_560),
      ],
      session: [
        { type: 'commit' },
        { type: 'respond' },
        { type: 'tool-result', callId: 'call-1', output: 'free' },
        { type: 'respond' },
      ],
    },
  },
  {
    name: 'speaks the first message and the silence prompts',
    agent: { first_message: 'Hello.', speech_config: { silence: { timeout_ms: 2_000, prompts: ['Hello?'] } } },
    realtime: { replies: [] },
    hangsUpAtMs: 20_000,
    expect: {
      // 15 frames until 380; the prompt is requested at 2,380 and plays for 15 frames until 2,760.
      timeline: [heard('Hello.', 100), heard('Hello?', 2_480)],
      session: [
        { type: 'respond', say: 'Hello.' },
        { type: 'respond', say: 'Hello?' },
      ],
      ended: { atMs: 4_760, reason: 'silence_timeout' },
    },
  },
  {
    name: 'receives pressed keys as a message',
    caller: [{ presses: '42#', atMs: 1_000 }],
    realtime: { replies: [['Thank you.']] },
    hangsUpAtMs: 5_000,
    expect: {
      timeline: [{ turn: '[keys pressed: 42]', atMs: 1_400 }, heard('Thank you.', 1_500)],
      session: [{ type: 'message', role: 'user', text: '[keys pressed: 42]' }, { type: 'respond' }],
    },
  },
  {
    name: 'executes say, inject-context, set-variables and end-call',
    agent: { llm_config: { messages: [{ role: 'system', content: 'You talk with {{name}}.' }] } },
    realtime: { replies: [['I was told.']] },
    control: [
      { atMs: 1_000, command: { type: 'say', content: 'We close soon.' } },
      { atMs: 3_000, command: { type: 'inject-context', content: 'It is late.', trigger_response: true } },
      { atMs: 5_000, command: { type: 'set-variables', variables: { name: 'Jan' } } },
      { atMs: 6_000, command: { type: 'end-call', message: 'Goodbye.' } },
    ],
    hangsUpAtMs: 9_000,
    expect: {
      timeline: [heard('We close soon.', 1_100), heard('I was told.', 3_100), heard('Goodbye.', 6_100)],
      session: [
        { type: 'respond', say: 'We close soon.' },
        { type: 'message', role: 'system', text: 'It is late.' },
        { type: 'respond', say: null },
        { type: 'instructions', text: 'You talk with Jan.' },
        { type: 'respond', say: 'Goodbye.' },
      ],
      // The last of 20 frames is sent at 6,480.
      ended: { atMs: 6_780, reason: 'api_hangup' },
    },
  },
  {
    name: 'is stopped at once by mute-assistant, and answers after unmute-assistant',
    agent: { first_message: story },
    control: [
      { atMs: 1_000, command: { type: 'mute-assistant' } },
      { atMs: 5_000, command: { type: 'unmute-assistant' } },
    ],
    caller: [{ says: 'is it free', fromMs: 2_000, toMs: 2_400 }],
    realtime: { replies: [['Yes.']] },
    hangsUpAtMs: 8_000,
    expect: {
      timeline: [
        cut(story, 100, 1_020),
        { interrupted: true, atMs: 1_000 },
        { turn: 'is it free', atMs: 3_260 },
        heard('Yes.', 5_100),
      ],
    },
  },
  {
    name: 'hangs up after its goodbye when it calls endCall',
    agent: { llm_config: { tools: [{ type: 'endCall' }] } },
    caller: [question],
    realtime: { replies: [['Goodbye.', { calls: 'endCall' }]] },
    hangsUpAtMs: 9_000,
    expect: {
      timeline: [
        { tool: 'endCall', args: {}, atMs: 2_060 },
        { result: 'The call is ending.', of: 'endCall', atMs: 2_060 },
        heard('Goodbye.', 2_060),
        turn,
      ],
      // The last of 20 frames is sent at 2,440.
      ended: { atMs: 2_740, reason: 'agent_hangup' },
    },
  },
  {
    name: 'retries a failed response once',
    caller: [question],
    realtime: { replies: [[{ fails: 'unavailable' }], ['Here I am.']] },
    hangsUpAtMs: 5_000,
    expect: { timeline: [heard('Here I am.', 2_160), turn] },
  },
  {
    name: 'ends the call when a response fails twice',
    caller: [question],
    realtime: { replies: [[{ fails: 'unavailable' }]] },
    hangsUpAtMs: 5_000,
    expect: {
      timeline: [],
      ended: { atMs: 2_160, reason: 'llm_error', error: 'scripted_realtime: failed by the script' },
    },
  },
];
