import { isDeepStrictEqual } from 'node:util';
import { type EndReason, VaError } from '@va/core';
import type { SimulatedConversation, SimulatedToolCall, SpokenLine } from './conversation.ts';
import { showConversation, showToolCall } from './show.ts';

/** A conversation differed from an expectation. `code` is `unmet_expectation`; the message shows the conversation. */
export class UnmetExpectation extends VaError {
  constructor(expected: string, instead: string, conversation: SimulatedConversation) {
    super('unmet_expectation', `Expected ${expected}, but ${instead}.\n${showConversation(conversation)}`);
  }
}

/** Words to look for: a text anywhere in a line, case-insensitive, or a pattern. */
export type Words = string | RegExp;

/** A moment of the conversation: the first time that this was said, or that the tool was called. */
export type Moment = { readonly said: Words } | { readonly tool: string };

/** Checks of a conversation. Each throws `UnmetExpectation`, or returns the same checks for chaining. */
export interface ConversationExpectations {
  /**
   * The agent called the tool, `times` times if given, with these arguments among others if given (also in nested
   * objects; lists must be equal).
   */
  calledTool(name: string, args?: Readonly<Record<string, unknown>>, times?: number): ConversationExpectations;
  /** The agent called these tools in this order, possibly with others in between. */
  calledTools(names: readonly string[]): ConversationExpectations;
  neverCalledTool(name: string): ConversationExpectations;
  /** The caller heard the agent say it; before and after other moments if given. */
  said(words: Words, when?: { readonly after?: Moment; readonly before?: Moment }): ConversationExpectations;
  neverSaid(words: Words): ConversationExpectations;
  /** 95 % of the turns were answered within this time, from the caller's last sound to the agent's first. */
  answeredWithin(p95Ms: number): ConversationExpectations;
  ended(reason: EndReason): ConversationExpectations;
}

/**
 * Returns the checks of a simulated conversation, for any test runner.
 *
 * @example
 * expectConversation(conversation).calledTool('book', { people: 2 }).said(/table \d+/, { after: { tool: 'book' } });
 */
export function expectConversation(conversation: SimulatedConversation): ConversationExpectations {
  return new Expectations(conversation);
}

class Expectations implements ConversationExpectations {
  readonly #conversation: SimulatedConversation;

  constructor(conversation: SimulatedConversation) {
    this.#conversation = conversation;
  }

  calledTool(name: string, args: Readonly<Record<string, unknown>> = {}, times?: number): this {
    const calls = this.#conversation.tools.filter((call) => call.name === name);
    const fitting = calls.filter((call) => contains(call.args, args));
    const wanted = `the agent to call ${name} with ${JSON.stringify(args)}`;
    if (times === undefined) return this.#check(fitting.length > 0, wanted, `it called ${shown(calls, name)}`);
    return this.#check(fitting.length === times, `${wanted} ${times} times`, `it called ${shown(calls, name)}`);
  }

  calledTools(names: readonly string[]): this {
    const called = this.#conversation.tools.map(({ name }) => name);
    let found = 0;
    for (const name of called) if (name === names[found]) found += 1;
    const order = `the agent to call ${names.join(', then ')}`;
    return this.#check(found === names.length, order, `it called ${called.join(', then ') || 'no tool'}`);
  }

  neverCalledTool(name: string): this {
    const calls = this.#conversation.tools.filter((call) => call.name === name);
    return this.#check(calls.length === 0, `the agent never to call ${name}`, `it called ${shown(calls, name)}`);
  }

  said(words: Words, { after, before }: { readonly after?: Moment; readonly before?: Moment } = {}): this {
    const fromMs = after === undefined ? Number.NEGATIVE_INFINITY : this.#firstAtMs(after);
    const toMs = before === undefined ? Number.POSITIVE_INFINITY : this.#firstAtMs(before);
    const lines = this.#agentLines().filter((line) => matches(line.text, words));
    const from = after === undefined ? '' : ` after ${momentText(after)}`;
    const to = before === undefined ? '' : ` before ${momentText(before)}`;
    const when = `${from}${to}`;
    const wanted = `the agent to say ${wordsText(words)}${when}`;
    if (fromMs === null || toMs === null) return this.#check(false, wanted, 'that never happened');
    const fitting = lines.filter(({ atMs }) => atMs > fromMs && atMs < toMs);
    const instead =
      lines.length === 0 ? 'it never did' : `it did at ${lines.map(({ atMs }) => `${atMs} ms`).join(', ')}`;
    return this.#check(fitting.length > 0, wanted, instead);
  }

  neverSaid(words: Words): this {
    const line = this.#agentLines().find(({ text }) => matches(text, words));
    return this.#check(line === undefined, `the agent never to say ${wordsText(words)}`, `it said "${line?.text}"`);
  }

  answeredWithin(p95Ms: number): this {
    const total = this.#conversation.latency?.total_ms ?? null;
    const instead = total === null ? 'no turn was answered' : `it took ${total.p95} ms (half of them ${total.p50} ms)`;
    return this.#check(
      total !== null && total.p95 <= p95Ms,
      `95 % of the turns to be answered within ${p95Ms} ms`,
      instead,
    );
  }

  ended(reason: EndReason): this {
    const { endReason } = this.#conversation;
    return this.#check(endReason === reason, `the call to end by ${reason}`, `it ended by ${endReason}`);
  }

  #check(isMet: boolean, expected: string, instead: string): this {
    if (!isMet) throw new UnmetExpectation(expected, instead, this.#conversation);
    return this;
  }

  #agentLines(): readonly SpokenLine[] {
    return this.#conversation.lines.filter(({ speaker }) => speaker === 'agent');
  }

  #firstAtMs(moment: Moment): number | null {
    const { tools, lines } = this.#conversation;
    const found =
      'tool' in moment
        ? tools.find(({ name }) => name === moment.tool)
        : lines.find(({ text }) => matches(text, moment.said));
    return found?.atMs ?? null;
  }
}

function matches(text: string, words: Words): boolean {
  // A pattern with the g flag would keep its position between calls.
  return typeof words === 'string' ? text.toLowerCase().includes(words.toLowerCase()) : text.search(words) >= 0;
}

function contains(actual: unknown, expected: unknown): boolean {
  if (!isRecord(expected)) return isDeepStrictEqual(actual, expected);
  return isRecord(actual) && Object.entries(expected).every(([key, value]) => contains(actual[key], value));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shown(calls: readonly SimulatedToolCall[], name: string): string {
  return calls.length === 0 ? `no ${name}` : calls.map(showToolCall).join(', ');
}

function wordsText(words: Words): string {
  return typeof words === 'string' ? `"${words}"` : String(words);
}

function momentText(moment: Moment): string {
  return 'tool' in moment ? `calling ${moment.tool}` : wordsText(moment.said);
}
