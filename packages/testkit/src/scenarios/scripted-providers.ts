import { type LanguageModel, type LlmEvent, type LlmRequest, type Provider, ProviderError } from '@va/core/adapter';
import { scriptedLlm } from '../scripted/scripted-llm.ts';
import { type ScriptedRealtime, scriptedRealtime } from '../scripted/scripted-realtime.ts';
import { type ScriptedStt, scriptedStt } from '../scripted/scripted-stt.ts';
import { type ScriptedTts, scriptedTts } from '../scripted/scripted-tts.ts';
import type { LlmScript, ModelRequest, RealtimeScript, ReplyPart, Scenario, SttScript, TtsScript } from './scenario.ts';

/** Providers of a scenario's agent. */
export interface ScenarioProviders {
  readonly all: readonly Provider[];
  readonly recognizers: readonly ScriptedStt[];
  readonly realtime: ScriptedRealtime | null;
}

/** Returns the caller's words up to a time that were not finalized before; undefined if there are none. */
type Settle = (untilMs: number) => string | undefined;

/** Id of the scripted speech-to-speech model. */
export const realtimeId = 'scripted_realtime';
/** A pause longer than any call. */
const foreverMs = 86_400_000;

/** Returns the id of a scenario's provider: index 0 is the first one, 1 its first fallback. */
export function providerId(index: number): string {
  return index === 0 ? 'scripted' : `fallback-${index}`;
}

/** Creates the scripted providers of a scenario, each with its fallbacks. */
export function scenarioProviders(
  { caller = [], stt = {}, llm = { replies: [] }, tts = {}, realtime }: Scenario,
  settle: Settle,
  onRequest: (request: Omit<ModelRequest, 'atMs'>) => void,
): ScenarioProviders {
  const languageOf = (text: string): string | undefined =>
    caller.flatMap((act) => ('says' in act && act.says.includes(text) ? [act.language] : []))[0];
  const recognizers = chainOf(stt).map((script, index) => recognizer(script, index, { settle, languageOf }));
  const models = chainOf(llm).map((script, index) => model(script, index, onRequest));
  const msPerLetter = msPerLetterOf(tts);
  const voices = chainOf(tts).map((script, index) => synthesizer({ ...script, msPerLetter }, index));
  const speechToSpeech = realtime === undefined ? null : realtimeModel(realtime, settle);
  return {
    all: [...recognizers, ...models, ...voices, ...(speechToSpeech === null ? [] : [speechToSpeech])],
    recognizers,
    realtime: speechToSpeech,
  };
}

/** Returns the duration of each letter of a voice in milliseconds. */
export function msPerLetterOf({ msPerLetter = 50 }: TtsScript | RealtimeScript): number {
  return msPerLetter;
}

function chainOf<S extends object>(
  script: S & { readonly fallbacks?: readonly Omit<S, 'fallbacks'>[] },
): readonly Omit<S, 'fallbacks'>[] {
  const { fallbacks = [], ...first } = script;
  return [first, ...fallbacks];
}

function recognizer(
  script: Omit<SttScript, 'fallbacks'>,
  index: number,
  words: { readonly settle: Settle; readonly languageOf: (text: string) => string | undefined },
): ScriptedStt {
  return scriptedStt({
    id: providerId(index),
    turns: words.settle,
    languageOf: words.languageOf,
    delayMs: script.settlesAfterMs ?? 0,
    judgesTurns: script.judgesTurns ?? false,
  });
}

function model(
  { replies }: Omit<LlmScript, 'fallbacks'>,
  fallback: number,
  onRequest: (request: Omit<ModelRequest, 'atMs'>) => void,
): LanguageModel {
  const id = providerId(fallback);
  return scriptedLlm(
    (request, index) => {
      onRequest({ last: lastOf(request), ...(fallback === 0 ? {} : { fallback }) });
      const missing = new ProviderError(id, 'invalid_request', `the script has no reply to request ${index + 1}`);
      return replyEvents(replies[index], id) ?? [missing];
    },
    { id },
  );
}

function lastOf({ messages }: LlmRequest): string {
  return messages.at(-1)?.content ?? '';
}

function replyEvents(parts: readonly ReplyPart[] | undefined, id: string): (LlmEvent | number | Error)[] | undefined {
  return parts?.map((part, index) => {
    if (typeof part === 'string') return { type: 'text', text: part };
    if ('waitMs' in part) return part.waitMs;
    if ('uses' in part) return { type: 'usage', usage: part.uses };
    if ('stalls' in part) return foreverMs;
    if ('fails' in part) return new ProviderError(id, part.fails, 'failed by the script');
    const written = part.text ?? JSON.stringify(part.args ?? {});
    return { type: 'tool-call', call: { id: part.id ?? `call-${index + 1}`, name: part.calls, arguments: written } };
  });
}

function synthesizer(
  script: Omit<TtsScript, 'fallbacks'> & { readonly msPerLetter: number },
  index: number,
): ScriptedTts {
  const { refuses, breaks } = script;
  const id = providerId(index);
  return scriptedTts({
    id,
    msPerLetter: script.msPerLetter,
    delayMs: script.firstByteMs ?? 0,
    timings: script.timings ?? true,
    pace: script.pace ?? 'burst',
    stalls: script.stalls ?? false,
    readable: index === 0 ? 0 : 1,
    refuseAt: (_text, utterance) =>
      refuses !== undefined && (refuses.utterances?.includes(utterance) ?? true)
        ? new ProviderError(id, refuses.fault, 'refused by the script')
        : null,
    breakAt: (_text, utterance) =>
      breaks?.utterances.includes(utterance) === true
        ? new ProviderError(id, breaks.fault, 'broken off by the script')
        : null,
  });
}

function realtimeModel(script: RealtimeScript, settle: Settle): ScriptedRealtime {
  return scriptedRealtime({
    id: realtimeId,
    turns: (committedAtMs) => settle(committedAtMs) ?? '',
    responses: script.replies.map((parts) => replyEvents(parts, realtimeId) ?? []),
    delayMs: script.firstByteMs ?? 100,
    wordsDelayMs: script.wordsAfterMs ?? 300,
    msPerLetter: msPerLetterOf(script),
    readable: true,
  });
}
