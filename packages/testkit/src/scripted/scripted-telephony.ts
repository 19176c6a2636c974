import type { DialRequest, NodeTrunkHealth, OutgoingCall, Telephony, TelephonyHost } from '@va/core/adapter';
import { ScriptedIncomingCall } from './scripted-incoming-call.ts';
import type { ScriptedLeg } from './scripted-leg.ts';
import { ScriptedOutgoingCall } from './scripted-outgoing-call.ts';
import { ScriptedWebCall } from './scripted-web-call.ts';

/** Telephony without a network. */
export class ScriptedTelephony implements Telephony {
  readonly id = 'scripted';
  readonly webCallPath = '/calls';
  readonly webCallUrl: string | null;
  /** Calls that the service has placed, in order. */
  readonly dialed: ScriptedOutgoingCall[] = [];
  /** Trunk states that the adapter reports, by trunk id. */
  readonly trunkHealth: Map<string, Partial<NodeTrunkHealth>> = new Map();
  readonly #calls: ScriptedLeg[] = [];
  #host: TelephonyHost | null = null;

  /** @param webCallUrl URL at which browsers reach this process; null for that of the service */
  constructor(webCallUrl: string | null = null) {
    this.webCallUrl = webCallUrl;
  }

  async start(host: TelephonyHost): Promise<void> {
    this.#host = host;
  }

  async close(): Promise<void> {
    for (const call of this.#calls) call.leave();
  }

  /** True if the service would accept another call. */
  get admits(): boolean {
    return this.#host?.admits() ?? false;
  }

  /**
   * Makes an incoming call to a number, or one that the test has created. Rejected while the service accepts no more
   * calls.
   */
  ring(to: string | ScriptedIncomingCall): ScriptedIncomingCall {
    const call = typeof to === 'string' ? new ScriptedIncomingCall({ to, id: `scripted-${this.#calls.length}` }) : to;
    this.#calls.push(call);
    if (this.admits) {
      this.#host?.onIncomingCall(call);
    } else {
      this.#host?.refused();
      call.reject('overloaded');
    }
    return call;
  }

  /** Makes a web call with a token of `POST /calls/web`; null if the service refuses the token. */
  async ringWeb(token: string, origin: string | null = null): Promise<ScriptedWebCall | null> {
    const grant = (await this.#host?.redeem?.(token, origin)) ?? null;
    if (grant === null) return null;
    const call = new ScriptedWebCall(grant);
    this.#calls.push(call);
    this.#host?.onIncomingCall(call);
    return call;
  }

  dial(request: DialRequest): OutgoingCall {
    const call = new ScriptedOutgoingCall(`scripted-${this.#calls.length}`, request);
    this.#calls.push(call);
    this.dialed.push(call);
    return call;
  }
}
