import type { Telephony, TelephonyHost } from '@va/core';
import { ScriptedIncomingCall } from '@va/testkit';

/** A telephone line without a network. */
export class ScriptedTelephony implements Telephony {
  readonly id = 'scripted';
  readonly #calls: ScriptedIncomingCall[] = [];
  #host: TelephonyHost | null = null;

  async start(host: TelephonyHost): Promise<void> {
    this.#host = host;
  }

  async close(): Promise<void> {
    for (const call of this.#calls) call.leave();
  }

  /** Someone calls a number. */
  ring(to: string): ScriptedIncomingCall {
    const call = new ScriptedIncomingCall({ to, id: `scripted-${this.#calls.length}` });
    this.#calls.push(call);
    this.#host?.onIncomingCall(call);
    return call;
  }
}
