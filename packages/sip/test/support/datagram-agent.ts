import { systemRandom } from '@va/core/adapter';
import { silentLogger, VirtualClock } from '@va/testkit';
import type { SipMessage } from '../../src/message/message.ts';
import { parseMessage } from '../../src/message/parse.ts';
import { TransactionLayer } from '../../src/transaction/transaction-layer.ts';
import type { Flow } from '../../src/transport/flow.ts';
import { defaultTimers } from '../../src/transport/timers.ts';
import { TransportLayer } from '../../src/transport/transport-layer.ts';
import { UserAgent } from '../../src/user-agent.ts';
import { fakeFlow } from './fake-flow.ts';

/** A complete agent without sockets: it is given datagrams, and its responses are collected. */
export class DatagramAgent {
  /** Calls that reached the agent's user. */
  invites = 0;
  readonly clock: VirtualClock;
  readonly #agent: UserAgent;
  readonly #transport: TransportLayer;
  readonly #transactions: TransactionLayer;
  readonly #flow = fakeFlow(true);

  private constructor(clock: VirtualClock, open: (onInvite: () => void) => UserAgent) {
    this.clock = clock;
    this.#agent = open(() => {
      this.invites += 1;
    });
    const options = { clock: this.clock, timers: defaultTimers, random: systemRandom };
    this.#transactions = new TransactionLayer(options, this.#agent);
    this.#transport = new TransportLayer({ clock, listen: [], logger: silentLogger }, this.#transactions);
    this.#transactions.attach(this.#transport);
  }

  static async open(): Promise<DatagramAgent> {
    let onInvite = (): void => {};
    const clock = new VirtualClock();
    const agent = await UserAgent.open({
      clock,
      logger: silentLogger,
      random: systemRandom,
      listen: [],
      onInvite: (invite) => {
        onInvite();
        invite.reject(486);
      },
    });
    return new DatagramAgent(clock, (listener) => {
      onInvite = listener;
      return agent;
    });
  }

  /** Returns the agent's responses to these bytes, on the flow of their source. */
  answersTo(bytes: Uint8Array, flow: Flow & { readonly sent: Uint8Array[] } = this.#flow): SipMessage[] {
    flow.sent.length = 0;
    this.#transport.onBytes(bytes, flow);
    return flow.sent.map((sent) => {
      const parsed = parseMessage(sent);
      if (!parsed.ok) throw new Error(`the agent wrote a malformed message: ${parsed.fault.message}`);
      return parsed.message;
    });
  }

  /** Discards transactions, dialogs and timers. */
  async close(): Promise<void> {
    this.#transactions.destroy();
    await this.#agent.destroy();
  }
}
