import type { ConversationState } from '../../conversation/state/conversation-state.ts';
import type { ConversationNotice } from '../../conversation/state/effects.ts';
import type { EndReason } from '../../domain/calls/call.ts';
import type { ToolOutcome } from '../../domain/calls/tool-outcome.ts';
import type { CallDisplay, DisplayedToolCall, DisplayState } from '../../ports/call-display.ts';
import { displayStateOf } from './display-state.ts';

/** Shows a conversation to its far end. */
export class ConversationDisplay {
  readonly #display: CallDisplay;
  #state: DisplayState | null = null;
  #userText = '';
  #hasEnded = false;

  constructor(display: CallDisplay) {
    this.#display = display;
  }

  notice(notice: ConversationNotice): void {
    if (this.#hasEnded) return;
    switch (notice.type) {
      case 'user-turn':
        this.#userText = '';
        this.#display.show({ type: 'user-text', text: notice.text, isFinal: true });
        return;
      case 'agent-speaking':
        this.#display.show({ type: 'agent-text', text: notice.text });
        return;
      case 'agent-spoke':
        this.#display.show({ type: 'agent-heard', text: notice.heard, interrupted: notice.interrupted });
        return;
      case 'tool-call':
        this.#display.show({ type: 'tool-started', id: notice.call.id, name: notice.call.name });
        return;
      case 'tool-result':
        this.#display.show({ type: 'tool-ended', id: notice.callId, name: notice.name, ok: notice.outcome.ok });
        return;
      case 'latency':
        this.#display.show({ type: 'latency', latency: notice.turn });
    }
  }

  /** Shows the end, which is the last event. */
  ended(reason: EndReason): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#display.show({ type: 'ended', reason });
  }

  async runTool(call: DisplayedToolCall, signal: AbortSignal): Promise<ToolOutcome> {
    if (this.#display.runTool === undefined) return noPage;
    return await this.#display.runTool(call, signal);
  }

  /** Shows the changes since the last state of the conversation. */
  observe(next: ConversationState): void {
    if (this.#hasEnded || next.phase.kind === 'closed') return;
    const text = next.userTurn.text;
    if (text !== this.#userText) {
      this.#userText = text;
      if (text !== '') this.#display.show({ type: 'user-text', text, isFinal: false });
    }
    const state = displayStateOf(next);
    if (state === this.#state) return;
    this.#state = state;
    this.#display.show({ type: 'state', state });
  }
}

/** Outcome of a tool that runs in a page, in a call that has none. */
export const noPage: ToolOutcome = { ok: false, error: 'The tool runs in a web page, and this call has none.' };
