import type { Call, HostTool, NewAgent } from '@va/core';
import {
  fillTemplate,
  type LanguageModel,
  type Provider,
  type ToolServers,
  type TransferOutcome,
} from '@va/core/adapter';
import { CallUnderTest, dialedNumber } from '../call-under-test.ts';
import { CustomerServer } from '../scripted/customer-server.ts';
import { type ScriptedReply, scriptedLlm } from '../scripted/scripted-llm.ts';
import { scriptedStt } from '../scripted/scripted-stt.ts';
import { scriptedTts } from '../scripted/scripted-tts.ts';
import { TransferringIncomingCall } from '../scripted/transferring-leg.ts';
import { SpokenWords } from '../spoken-words.ts';
import { TimeSince } from '../time-since.ts';
import { VirtualClock } from '../virtual-clock.ts';
import { type CallerPlayer, callerOf, type ScriptedLine } from './caller.ts';
import type { SimulatedConversation } from './conversation.ts';
import { simulatedHostTools, watchedToolServers } from './host-tools.ts';
import { OutsideWork } from './outside-work.ts';
import { Protocol } from './protocol.ts';
import { SimulatedPhone } from './simulated-phone.ts';
import type { SimulationTiming } from './simulation-timing.ts';
import { InvalidSimulation, type ToolHandler, toolRunner } from './tool-handlers.ts';
import { WatchedModel } from './watched-model.ts';

/** Options of `simulateConversation`. */
export interface SimulationOptions {
  /** The body of POST /agents. Its recognizer and its voice are simulated, whichever they are. */
  readonly agent: NewAgent;
  /** The caller's lines in order, after which they hang up; or a player of the caller (see `personaCaller`). */
  readonly caller: readonly ScriptedLine[] | CallerPlayer;
  /**
   * The agent's language model: any adapter, such as `openai({ apiKey })`; or its replies, one per request, the last of
   * which repeats.
   */
  readonly llm: LanguageModel | readonly ScriptedReply[];
  /** Handlers of the agent's tools, by name; they take precedence over `hostTools`. */
  readonly tools?: Readonly<Record<string, ToolHandler>>;
  /** The host's tools that the agent names, as given to `createVoiceAgents`. They run for real. */
  readonly hostTools?: readonly HostTool[];
  /** Client of the MCP servers that the agent names; their tools run for real. */
  readonly mcp?: ToolServers;
  /** Runs tools without a handler for real: the `webhook_url` of the agent, for tools without a URL of their own. */
  readonly serverUrl?: string;
  /** Values of the placeholders `{{name}}` in the prompt and the first message. */
  readonly variables?: Readonly<Record<string, unknown>>;
  /** Outcome of a transfer. Default: accepted, which ends the call as `transferred`. */
  readonly transfer?: TransferOutcome;
  readonly timing?: SimulationTiming;
}

/**
 * Runs a conversation of an agent with a caller on the real service, without telephony, recognizer, voice or storage,
 * to test its tools and prompts. With a scripted model it runs in virtual time, within milliseconds and
 * deterministically. While a real model or tool is at work, time passes in real time, so that latencies are real.
 *
 * @example const conversation = await simulateConversation({
 *   agent, llm: openai({ apiKey }), caller: ['A table for two tonight, please.', 'No, thank you.'],
 * tools: { book: ({ people }) => ({ table: 7, people }) }, }); expectConversation(conversation).calledTool('book', {
 * people: 2 }).ended('agent_hangup');
 *
 * @throws InvalidSimulation when the agent lacks a required part, RequestError when the service rejects it
 */
export async function simulateConversation(options: SimulationOptions): Promise<SimulatedConversation> {
  const clock = new VirtualClock();
  const work = new OutsideWork();
  const agent = preparedAgent(options);
  const { timing = {}, tools: handlers = {}, hostTools = [], mcp, serverUrl } = options;
  const model = new WatchedModel(agent.llm_config.provider, languageModel(options.llm), work);
  const tools = await toolRunner({ agent, handlers, serverUrl, clock, work });
  const words = new SpokenWords();
  const call = new CallUnderTest({
    clock,
    providers: [model, ...scriptedProviders(agent, words, timing)],
    webhooks: new CustomerServer({ clock, runTool: (request, signal) => tools.run(request, signal) }),
    service: {
      tools: simulatedHostTools(agent, { handlers, tools: hostTools, clock, work }),
      ...(mcp !== undefined && { mcp: watchedToolServers(mcp, work) }),
    },
  });
  const time = new TimeSince(clock);
  const protocol = new Protocol(time);
  call.va.events.on('call.notice', ({ notice }) => protocol.note(notice));
  const { transfer = { type: 'accepted' } } = options;
  const leg = new TransferringIncomingCall({ to: dialedNumber, clock, script: [{ outcome: transfer }] });
  const phone = new SimulatedPhone({ call, leg, model, protocol, words, work, timing, greets: greets(agent) });
  try {
    await call.start(agent);
    await call.ringUp(leg);
    await call.answered();
    time.begin();
    phone.begin();
    const ended = await phone.converse(callerOf(options.caller));
    return conversationOf(ended, {
      model,
      protocol,
      variables: options.variables ?? {},
      durationMs: time.at(call.endedAtMs),
    });
  } finally {
    await call.close();
    await tools.close();
  }
}

type PreparedAgent = NewAgent & { readonly llm_config: NonNullable<NewAgent['llm_config']> };

function preparedAgent({ agent, variables, serverUrl }: SimulationOptions): PreparedAgent {
  const { llm_config: llmConfig, first_message: firstMessage } = agent;
  if (llmConfig === undefined || llmConfig === null) {
    throw new InvalidSimulation(
      'invalid_simulation',
      'The agent has no llm_config: there is nothing to converse with.',
    );
  }
  const fill = (text: string): string => (variables === undefined ? text : fillTemplate(text, variables));
  const messages = llmConfig.messages?.map((message) => ({ ...message, content: fill(message.content) }));
  return {
    ...agent,
    ...(typeof firstMessage === 'string' ? { first_message: fill(firstMessage) } : {}),
    webhook_url: serverUrl ?? agent.webhook_url ?? 'https://simulated.invalid/webhook',
    stt_config: agent.stt_config ?? { provider: 'simulated' },
    tts_config: agent.tts_config ?? { provider: 'simulated' },
    llm_config: { ...llmConfig, ...(messages === undefined ? {} : { messages }) },
  };
}

function languageModel(llm: SimulationOptions['llm']): LanguageModel {
  return 'stream' in llm ? llm : scriptedLlm(llm);
}

/** Creates the scripted recognizer and synthesizer, under the provider names that the agent uses. */
function scriptedProviders(agent: NewAgent, words: SpokenWords, timing: SimulationTiming): Provider[] {
  return [
    scriptedStt({
      id: agent.stt_config?.provider ?? 'simulated',
      turns: (finalizedAtMs) => words.settle(finalizedAtMs),
      delayMs: timing.sttSettlesAfterMs ?? 0,
    }),
    scriptedTts({
      id: agent.tts_config?.provider ?? 'simulated',
      msPerLetter: timing.msPerLetter ?? 60,
      delayMs: timing.ttsFirstByteMs ?? 0,
    }),
  ];
}

function greets({ first_message: firstMessage }: NewAgent): boolean {
  return typeof firstMessage === 'string' && firstMessage.trim() !== '';
}

function conversationOf(
  call: Call,
  parts: {
    readonly durationMs: number;
    readonly model: WatchedModel;
    readonly protocol: Protocol;
    readonly variables: Readonly<Record<string, unknown>>;
  },
): SimulatedConversation {
  const { model, protocol, variables, durationMs } = parts;
  return {
    transcript: call.messages,
    lines: protocol.lines,
    tools: protocol.tools,
    events: protocol.events,
    latency: call.latency,
    endReason: call.end_reason ?? 'internal_error',
    error: call.error,
    durationMs,
    variables: { ...variables, ...call.variables },
    requests: model.requests,
  };
}
