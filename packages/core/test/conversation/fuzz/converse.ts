import { speechConfigSchema } from '@va/core';
import type { LlmRequest } from '@va/core/adapter';
import { Ticker, VadBatcher } from '@va/media';
import { callerFrame, levelVad, scriptedStt, silentLogger } from '@va/testkit';
import { emptyAssistant } from '../../../src/calls/assistant.ts';
import { Scope } from '../../../src/calls/scope.ts';
import { startConversation } from '../../../src/calls/session/conversation-setup.ts';
import type { ConversationEvent } from '../../../src/conversation/state/events.ts';
import { type CallTool, webhookTool } from '../../../src/conversation/state/tools/call-tool.ts';
import { step } from '../../../src/conversation/step.ts';
import { toolSchema } from '../../../src/domain/agents/tools/tool.ts';
import { FixedSpeechCache } from '../../../src/providers/fixed-speech.ts';
import { OwnKeys } from '../../../src/providers/own-keys.ts';
import { ProviderCircuits } from '../../../src/providers/provider-circuits.ts';
import { PromiseClock } from '../../support/promise-clock.ts';
import { remoteLeg } from '../../support/remote-leg.ts';
import { FarEnd, silentCode } from './far-end.ts';
import { FuzzCosts } from './fuzz-costs.ts';
import { codeOf, fuzzModel, fuzzVoice, type SpokenUtterance } from './fuzz-providers.ts';
import { fuzzTransfers } from './fuzz-transfers.ts';
import { endByModel, fuzzTurnModel } from './fuzz-turn-model.ts';
import { BrokenInvariant, StepWatch } from './invariants.ts';
import type { Act, Scene } from './scene.ts';

type Step = typeof step;

/** Returns what the caller says in each turn; nothing is recognized in every n-th one. */
const turnsWithNoise = once((noiseEvery: number): readonly string[] =>
  Array.from({ length: 40 }, (_, i) => (noiseEvery > 0 && i % noiseEvery === 1 ? '' : `turn ${i}`)),
);
const endCallTool = once((message: string | null) =>
  toolSchema.parse(message === null ? { type: 'endCall' } : { type: 'endCall', message }),
);

/** Returns `make` with a cache: thousands of scenes have the same few values. */
function once<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new Map<Key, Value>();
  return (key) => {
    const known = made.get(key) ?? make(key);
    made.set(key, known);
    return known;
  };
}

const injectedText = 'The order is ready.';
const speech = callerFrame(true);
const silence = callerFrame(false);
const greeting = 'Hello and welcome to our shop.';

/**
 * Plays a scene on the real runner, media plane and pipeline in virtual time.
 *
 * @throws {BrokenInvariant} when an invariant does not hold.
 */
export async function converse(scene: Scene, advance: Step = step): Promise<void> {
  const clock = new PromiseClock();
  const scope = new Scope(silentLogger);
  const detector = levelVad();
  const judge = new VadBatcher(scene.media?.judges ? { ...detector, module: 'there' } : detector, clock);
  const far = new FarEnd({ to: '+31201234567' });
  const leg = scene.media === null ? far : remoteLeg(far, clock, scene.media.delayMs, judge);
  const transfers = fuzzTransfers(scene.transfer, clock);
  const spoken: SpokenUtterance[] = [];
  const requests: LlmRequest[] = [];
  const watch = new StepWatch();
  const stt = scriptedStt({ ...scene.recognizer, turns: turnsWithNoise(scene.recognizer.noiseEvery) });
  const endCall = endCallTool(scene.goodbye);
  const llmConfig = { ...baseLlmConfig, tools: [...baseLlmConfig.tools, endCall], context: scene.context };
  const callTools: CallTool[] = llmConfig.tools.flatMap((tool): CallTool[] => {
    if (tool.type === 'function') return [webhookTool(tool)];
    return tool.type === 'endCall' ? [tool] : [];
  });
  const costs = new FuzzCosts(clock);
  let broken: unknown = null;
  let ended = false;
  /**
   * The frame at which the agent was stopped, and the utterances opened until then, which must be silent from that
   * frame on.
   */
  let stopped: { readonly atFrame: number; readonly utterances: number } | null = null;

  const runner = startConversation({
    assistant: {
      ...emptyAssistant,
      firstMessage: greeting,
      llmConfig,
      speechConfig: speechConfigSchema.parse(scene.speech),
    },
    providers: {
      kind: 'cascade',
      recognizers: [{ provider: stt, config: { provider: 'scripted', language: 'en' } }],
      models: [{ provider: fuzzModel(scene.replies, requests), config: llmConfig }],
      synthesizers: [{ provider: fuzzVoice(scene.synthesizer, spoken), config: { provider: 'fuzz' } }],
      voices: new Map(),
    },
    orgId: 'fuzz',
    circuits: new ProviderCircuits(clock),
    // The code identifies the utterance, and none may be played twice.
    fixedSpeech: new FixedSpeechCache({ maxBytes: 0 }),
    variables: null,
    answering: scene.isPlaced ? { voicemailMessage: 'Please call us back.' } : null,
    leg: transfers.on(leg),
    keys: new OwnKeys(),
    ticker: new Ticker(clock),
    judge,
    recording: null,
    ...(scene.turnModel === null ? {} : { turnJudge: fuzzTurnModel(scene.turnModel, clock), turnPolicy: endByModel }),
    mediaTimeout: { initialMs: 600_000, generalMs: 600_000 },
    clock,
    logger: silentLogger,
    scope,
    tools: callTools,
    meter: costs.meter,
    runTool: async () => {
      await new Promise<void>((resolve) => {
        clock.setTimer(scene.toolDelayMs, resolve);
      });
      return { ok: true, result: 'found' };
    },
    onNotice: (notice) => {
      if (notice.type === 'interrupted') stopped = { atFrame: leg.codes.length, utterances: spoken.length };
      if (notice.type === 'resumed' || notice.type === 'agent-speaking') stopped = null;
    },
    onDtmf: () => {},
    onEnd: () => {
      ended = true;
      scope.close();
    },
    advance(state, event) {
      noteModelEnd(watch, event);
      const result = advance(state, event);
      try {
        watch.check(state, event, result.state, result.effects);
        costs.check();
      } catch (thrown) {
        broken ??= thrown;
      }
      return result;
    },
  });

  if (scene.maxCost !== null) scope.onClose(costs.limit(scene.maxCost, runner));

  const wait = async (untilMs: number, hear: Uint8Array | null): Promise<void> => {
    if (hear === null) await clock.advance(untilMs);
    else {
      for (let passed = 0; passed < untilMs && !ended; passed += 20) {
        leg.hear(hear);
        await clock.advance(20);
      }
    }
    if (broken !== null) throw broken;
    if (stopped !== null && sounds(leg, stopped)) {
      throw new BrokenInvariant('no agent audio after an interruption has taken effect');
    }
  };

  const play = async (act: Act): Promise<void> => {
    switch (act.kind) {
      case 'speak':
        return await wait(act.ms, speech);
      case 'quiet':
        return await wait(act.ms, silence);
      case 'nothing':
        return await wait(act.ms, null);
      case 'words':
        stt.streams[0]?.emit({ type: act.final ? 'final' : 'partial', text: act.text });
        break;
      case 'revision':
        stt.streams[0]?.emit({ type: 'partial', text: act.first });
        await wait(act.afterMs, null);
        stt.streams[0]?.emit({ type: 'final', text: act.last });
        break;
      case 'judgment':
        stt.streams[0]?.emit({ type: act.type });
        break;
      case 'key':
        leg.press(act.digit);
        break;
      case 'say':
        runner.dispatch({
          type: 'say',
          text: 'Your order is ready.',
          interruptible: act.interruptible,
          endAfter: act.endAfter,
        });
        break;
      case 'context':
        runner.dispatch({ type: 'context-injected', text: injectedText, wantsReply: act.wantsReply });
        break;
      case 'mute':
        runner.dispatch({ type: 'mute-changed', isMuted: act.isMuted });
        break;
      case 'take-over':
        runner.dispatch({ type: 'taken-over', isTakenOver: act.isTakenOver });
        break;
      case 'transfer':
        runner.dispatch({
          type: 'transfer-asked',
          destination: '+31202',
          mode: act.mode,
          keysOnAnswer: null,
          message: act.message,
        });
        break;
      case 'hold':
        // Frames continue with music on hold; without it they stop.
        leg.receiving = !act.held || !act.listens;
        leg.sending = !act.held || act.listens;
        break;
      case 'end':
        runner.dispatch({ type: 'end', reason: 'api_hangup', message: act.message });
        break;
      case 'leave':
        runner.dispatch({ type: 'leg-ended', reason: 'user_hangup', error: null });
        break;
      case 'stale':
        if (act.what === 'llm') runner.dispatch({ type: 'llm-text', generation: -act.id, text: 'Ghost. ' });
        else if (act.what === 'prediction')
          runner.dispatch({ type: 'turn-predicted', request: -act.id, probability: 1 });
        else if (act.what === 'tts') runner.dispatch({ type: 'tts-done', utterance: -act.id });
        else
          runner.dispatch({ type: 'tool-settled', callId: `ghost-${act.id}`, outcome: { ok: true, result: 'ghost' } });
    }
    await wait(20, null);
  };

  for (const act of scene.acts) if (!ended) await play(act);
  // Whatever happened before, a caller who speaks is answered once nothing blocks the reply.
  leg.receiving = true;
  leg.sending = true;
  runner.dispatch({ type: 'mute-changed', isMuted: false });
  runner.dispatch({ type: 'taken-over', isTakenOver: false });
  if (!ended) await wait(16_000, null);
  // An unanswered transfer times out after a minute, and a model may retry it repeatedly.
  for (let waited = 0; waited < 80 && !ended && runner.state.transfer.active !== null; waited += 1)
    await wait(5_000, null);
  const asked = (): number => requests.filter((request) => !isSummary(request)).length;
  const before = asked();
  for (let attempt = 0; attempt < 5 && !ended && asked() === before; attempt += 1) {
    await wait(700, speech);
    await wait(5_000, null);
  }
  if (!ended && asked() === before) throw new BrokenInvariant('a caller who speaks is answered');
  runner.dispatch({ type: 'leg-ended', reason: 'user_hangup', error: null });
  await wait(20 + (scene.media?.delayMs ?? 0), null);
  const frames = leg.codes.length;
  await wait(100, null);
  if (!ended) throw new BrokenInvariant('a call that was hung up is over');
  if (leg.codes.length > frames) throw new BrokenInvariant('no frame is sent after the end');
  watch.checkEnd(runner.state);
  if (transfers.running > 0) throw new BrokenInvariant('no transfer goes on after the end');
  if (scene.speech.interruption.lower_db === 0) checkHeard(runner.state.entries, spoken, leg);
  checkRequests(requests.filter((request) => !isSummary(request)));
  // Only timers of slow providers and tools may remain.
  await clock.advance(20_000);
  if (clock.pending > 0) throw new BrokenInvariant('no timer is left');
}

const baseLlmConfig = {
  provider: 'fuzz',
  messages: [{ role: 'system', content: 'Be brief.' }],
  tools: [
    toolSchema.parse({ type: 'function', name: 'lookup', message: 'One second.' }),
    toolSchema.parse({ type: 'function', name: 'later', async: true }),
    toolSchema.parse({
      type: 'transferCall',
      message: 'I put you through.',
      destinations: [{ type: 'number', number: '+31201', mode: 'warm' }],
    }),
  ],
};

function noteModelEnd(watch: StepWatch, event: ConversationEvent): void {
  if (event.type === 'llm-done' || event.type === 'llm-failed') watch.modelEnded(event.generation);
}

/** Returns true if any of the first utterances is heard from that frame on. */
function sounds({ codes }: FarEnd, { atFrame, utterances }: { atFrame: number; utterances: number }): boolean {
  let theirs: Set<number> | null = null;
  for (let at = atFrame; at < codes.length; at += 1) {
    const code = codes[at] ?? silentCode;
    if (code === silentCode) continue;
    theirs ??= new Set(Array.from({ length: utterances }, (_, index) => codeOf(index)));
    if (theirs.has(code)) return true;
  }
  return false;
}

type Entries = ReturnType<typeof startConversation>['state']['entries'];

/** Checks that the transcript has exactly the words of which the far end received at least half. */
function checkHeard(entries: Entries, spoken: readonly SpokenUtterance[], leg: FarEnd): void {
  const expected = spoken.flatMap(({ words }, index) => {
    const ms = (leg.framesOf[codeOf(index)] ?? 0) * 20;
    return words.filter(({ startMs, endMs }) => ms > 0 && (startMs + endMs) / 2 <= ms).map(({ text }) => text);
  });
  const heard = entries.flatMap((entry) => (entry.role === 'assistant' ? entry.heard.split(/\s+/) : []));
  if (spoken.some(({ words }) => words.some(({ text }) => text.startsWith('Ghost')))) {
    throw new BrokenInvariant('nothing of work that was given up is said');
  }
  const sorted = (words: readonly string[]): string =>
    words
      .filter((word) => word !== '')
      .sort()
      .join(' ');
  if (sorted(heard) !== sorted(expected)) {
    throw new BrokenInvariant(`the transcript says "${heard.join(' ')}", and played was "${expected.join(' ')}"`);
  }
}

function isSummary({ messages }: LlmRequest): boolean {
  return messages[0]?.content.startsWith('You keep the notes') ?? false;
}

/**
 * Checks that each LLM request has the prompt, all context injected before it, and one output directly after each tool
 * call.
 */
function checkRequests(requests: readonly LlmRequest[]): void {
  let injected = 0;
  for (const { messages } of requests) {
    if (messages[0]?.content !== 'Be brief.') throw new BrokenInvariant('the prompt is never left out');
    const told = messages.filter(({ content }) => content === injectedText).length;
    if (told < injected) throw new BrokenInvariant('what was injected is never left out');
    injected = told;
    messages.forEach((message, at) => {
      if (message.role !== 'assistant' || message.toolCalls === undefined) return;
      const outputs = messages.slice(at + 1, at + 1 + message.toolCalls.length);
      const answered = outputs.map((output) => (output.role === 'tool' ? output.toolCallId : null));
      const called = message.toolCalls.map(({ id }) => id);
      if (answered.join() !== called.join()) throw new BrokenInvariant('each tool call has its output behind it');
    });
  }
}
