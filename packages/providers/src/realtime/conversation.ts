import type { LlmConfig } from '@va/core';
import { type ChatMessage, defaultContextSettings, estimateTokens, type ToolCallRequest } from '@va/core/adapter';
import type { VendorFields } from '../shared/json.ts';

/** Maximum number of entries, not counting `system` messages. */
const maxEntries = 100;

/** Message of the caller, the model or the host. The text of a spoken message grows; an interruption truncates it. */
export interface MessageEntry {
  readonly kind: 'message';
  readonly role: 'user' | 'system' | 'assistant';
  text: string;
}

/** A turn of the caller: its audio until the provider has transcribed it, then its text. */
export interface TurnEntry {
  readonly kind: 'turn';
  readonly turn: number;
  audio: readonly Uint8Array[];
  text: string | undefined;
}

/** An entry of the conversation, in the order in which the entries were added. */
export type ConversationEntry =
  | MessageEntry
  | TurnEntry
  | { readonly kind: 'call'; readonly call: ToolCallRequest }
  | { readonly kind: 'output'; readonly callId: string; readonly output: string };

/**
 * The conversation so far, to be sent on a new connection. Keeps the newest entries within the limit of
 * `llm_config.context`, and all `system` messages.
 */
export class Conversation {
  #entries: ConversationEntry[] = [];
  readonly #maxTokens: number;

  constructor(history: readonly ChatMessage[], { context = defaultContextSettings }: Pick<LlmConfig, 'context'> = {}) {
    this.#maxTokens = context.max_tokens;
    for (const message of history) {
      if (message.role === 'tool') this.addOutput(message.toolCallId, message.content);
      else this.addMessage(message.role, message.content);
      if (message.role === 'assistant') for (const call of message.toolCalls ?? []) this.addCall(call);
    }
  }

  addMessage(role: MessageEntry['role'], text: string): MessageEntry {
    const entry: MessageEntry = { kind: 'message', role, text };
    this.#add(entry);
    return entry;
  }

  addTurn(turn: number, audio: readonly Uint8Array[]): TurnEntry {
    const entry: TurnEntry = { kind: 'turn', turn, audio, text: undefined };
    this.#add(entry);
    return entry;
  }

  addCall(call: ToolCallRequest): void {
    this.#add({ kind: 'call', call });
  }

  addOutput(callId: string, output: string): void {
    this.#add({ kind: 'output', callId, output });
  }

  /** The kept entries, without outputs whose tool call is not among them: providers reject such outputs. */
  get entries(): readonly ConversationEntry[] {
    const calls = new Set<string>();
    return this.#fitting().filter((entry) => {
      if (entry.kind === 'call') calls.add(entry.call.id);
      return entry.kind !== 'output' || calls.has(entry.callId);
    });
  }

  /** Keeps the newest entries within the limit, at least from the caller's last words on. */
  #fitting(): readonly ConversationEntry[] {
    const entries = this.#entries;
    const last = entries.findLastIndex(isOfCaller);
    let tokens = 0;
    let from = entries.length;
    for (; from > 0; from--) {
      const entry = entries[from - 1];
      if (entry === undefined) break;
      tokens += tokensOf(entry);
      if (tokens > this.#maxTokens && (from <= last || last < 0)) break;
    }
    return entries.filter((entry, at) => at >= from || isInstruction(entry));
  }

  #add(entry: ConversationEntry): void {
    this.#entries.push(entry);
    if (isInstruction(entry) || this.#entries.filter((each) => !isInstruction(each)).length <= maxEntries) return;
    this.#entries.splice(
      this.#entries.findIndex((each) => !isInstruction(each)),
      1,
    );
  }
}

function isInstruction(entry: ConversationEntry): boolean {
  return entry.kind === 'message' && entry.role === 'system';
}

function isOfCaller(entry: ConversationEntry): boolean {
  return entry.kind === 'turn' || (entry.kind === 'message' && entry.role === 'user');
}

function tokensOf(entry: ConversationEntry): number {
  if (isInstruction(entry)) return 0;
  if (entry.kind === 'call') return estimateTokens(entry.call.name + entry.call.arguments);
  return estimateTokens(entry.kind === 'output' ? entry.output : (entry.text ?? ''));
}

/** Returns the entry as a text item; undefined for an empty one, and for a turn without a transcript. */
export function itemOf(entry: ConversationEntry): VendorFields | undefined {
  if (entry.kind === 'call') {
    const { id, name, arguments: text } = entry.call;
    return { type: 'function_call', call_id: id, name, arguments: text };
  }
  if (entry.kind === 'output') return outputItem(entry.callId, entry.output);
  if (entry.text === undefined || entry.text.trim() === '') return undefined;
  return messageItem(entry.kind === 'turn' ? 'user' : entry.role, entry.text);
}

/** Returns a message as an item of the protocol. */
export function messageItem(role: MessageEntry['role'], text: string): VendorFields {
  const type = role === 'assistant' ? 'output_text' : 'input_text';
  return { type: 'message', role, content: [{ type, text }] };
}

/** Returns the output of a tool as an item of the protocol. */
export function outputItem(callId: string, output: string): VendorFields {
  return { type: 'function_call_output', call_id: callId, output };
}
