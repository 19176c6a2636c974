import type { Scenario } from '@va/testkit/scenarios';
import { heard } from './spoken.ts';

const dutch = { language: 'nl', tts_config: { provider: 'fallback-1' }, silence_prompts: ['Bent u er nog?'] };
const agent = { speech_config: { languages: [dutch] } };
/** The second voice is that of Dutch. */
const tts = { fallbacks: [{}] };
const inDutch = { says: 'Een tafel, graag.', fromMs: 1_000, toMs: 2_000, language: 'nl' };

export const languages: readonly Scenario[] = [
  {
    name: 'goes on in the language that the caller speaks, with the voice of that language',
    agent,
    tts,
    caller: [inDutch],
    llm: { replies: [['Voor hoeveel?']] },
    hangsUpAtMs: 6_000,
    expect: {
      timeline: [
        { language: 'nl', atMs: 2_560 },
        { turn: 'Een tafel, graag.', atMs: 2_560 },
        { ...heard('Voor hoeveel?', 2_580), voice: 'fallback' },
      ],
    },
  },
  {
    name: 'stays in its language after a single word in another one',
    agent,
    tts,
    caller: [{ ...inDutch, says: 'Hallo?' }],
    llm: { replies: [['Good morning.']] },
    hangsUpAtMs: 6_000,
    expect: { timeline: [{ turn: 'Hallo?', atMs: 2_560 }, heard('Good morning.', 2_580)] },
  },
  {
    name: 'switches after two turns of one word each',
    agent,
    tts,
    caller: [
      { ...inDutch, says: 'Hallo?' },
      { says: 'Morgen.', fromMs: 4_000, toMs: 5_000, language: 'nl' },
    ],
    llm: { replies: [['Hello.'], ['Hoe laat?']] },
    hangsUpAtMs: 9_000,
    expect: {
      timeline: [
        { turn: 'Hallo?', atMs: 2_560 },
        heard('Hello.', 2_580),
        { language: 'nl', atMs: 5_560 },
        { turn: 'Morgen.', atMs: 5_560 },
        { ...heard('Hoe laat?', 5_580), voice: 'fallback' },
      ],
    },
  },
  {
    name: 'returns to the first language',
    agent,
    tts,
    caller: [inDutch, { says: 'Sorry, for two.', fromMs: 5_000, toMs: 6_000, language: 'en-GB' }],
    llm: { replies: [['Hoeveel?'], ['Two it is.']] },
    hangsUpAtMs: 10_000,
    expect: {
      timeline: [
        { language: 'nl', atMs: 2_560 },
        { turn: 'Een tafel, graag.', atMs: 2_560 },
        { ...heard('Hoeveel?', 2_580), voice: 'fallback' },
        { language: 'en', atMs: 6_560 },
        { turn: 'Sorry, for two.', atMs: 6_560 },
        heard('Two it is.', 6_580),
      ],
    },
  },
  {
    name: 'ignores a language that the agent does not speak',
    agent,
    tts,
    caller: [{ ...inDutch, says: 'Une table.', language: 'fr' }],
    llm: { replies: [['English, please.']] },
    hangsUpAtMs: 6_000,
    expect: { timeline: [{ turn: 'Une table.', atMs: 2_560 }, heard('English, please.', 2_580)] },
  },
  {
    name: 'drops a reply that was prepared in the other language',
    agent: { speech_config: { ...agent.speech_config, vad: { min_silence_ms: 200 } } },
    tts,
    stt: { settlesAfterMs: 400 },
    caller: [{ ...inDutch, partials: [{ atMs: 1_500, text: 'Een tafel' }] }],
    llm: { replies: [['In English.'], ['Voor hoeveel?']] },
    hangsUpAtMs: 6_000,
    expect: {
      timeline: [
        { language: 'nl', atMs: 2_600 },
        { turn: 'Een tafel, graag.', atMs: 2_600 },
        { ...heard('Voor hoeveel?', 2_600), voice: 'fallback' },
      ],
    },
  },
  {
    name: 'says the silence prompts in the language of the caller',
    agent: { speech_config: { ...agent.speech_config, silence: { timeout_ms: 3_000 } } },
    tts,
    caller: [inDutch],
    llm: { replies: [['Voor hoeveel?']] },
    hangsUpAtMs: 8_000,
    expect: {
      timeline: [
        { language: 'nl', atMs: 2_560 },
        { turn: 'Een tafel, graag.', atMs: 2_560 },
        { ...heard('Voor hoeveel?', 2_580), voice: 'fallback' },
        { ...heard('Bent u er nog?', 6_220), voice: 'fallback' },
      ],
    },
  },
];
