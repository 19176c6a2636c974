import type {
  CallDisplay,
  CallerInput,
  CallGrant,
  DisplayEvent,
  DisplayedToolCall,
  ToolOutcome,
} from '@va/core/adapter';
import { ScriptedIncomingCall } from './scripted-incoming-call.ts';

/** A web call without a browser: the test plays the page. */
export class ScriptedWebCall extends ScriptedIncomingCall {
  readonly grant: CallGrant;
  /** Messages sent to the page, in order. */
  readonly shown: DisplayEvent[] = [];
  /** Tools that the page was asked to run, in order. */
  readonly toolCalls: DisplayedToolCall[] = [];
  /** Outcome of every tool in the page. */
  toolOutcome: ToolOutcome = { ok: true, result: 'done' };
  #input: CallerInput | null = null;

  constructor(grant: CallGrant) {
    super({ to: 'web', from: '', id: `web-${grant.callId}` });
    this.grant = grant;
  }

  openDisplay(input: CallerInput): CallDisplay {
    this.#input = input;
    return {
      show: (event) => this.shown.push(event),
      runTool: async (call) => {
        this.toolCalls.push(call);
        return this.toolOutcome;
      },
    };
  }

  /** Sends a text that the caller typed. */
  type(text: string): void {
    this.#input?.text(text);
  }
}
