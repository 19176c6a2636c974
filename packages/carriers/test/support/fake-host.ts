import type { CarrierAccess, DialedNumber, IncomingCall, TelephonyHost } from '@va/core/adapter';
import { silentLogger, VirtualClock } from '@va/testkit';

/** The number that callers dial, with the trunks of its organization. */
export const agentNumber = '+31201234567';

/** The service as a carrier's adapter sees it, with one number. Calls wait until the test accepts or refuses them. */
export class FakeHost implements TelephonyHost {
  readonly clock = new VirtualClock();
  readonly logger = silentLogger;
  readonly publicUrl: string;
  readonly calls: IncomingCall[] = [];
  /** Dialed texts that were looked up. */
  readonly lookedUp: string[] = [];
  readonly #number: DialedNumber;
  isFull = false;
  refusals = 0;
  #onCall: (call: IncomingCall) => void = () => {};

  /** @param id path segment of the adapter in its public URL */
  constructor(id: string, ...trunks: readonly CarrierAccess[]) {
    this.publicUrl = `https://example.com/voice/telephony/${id}`;
    const carrierTrunks = trunks.map((trunk) => ({ ...trunk, access: async () => trunk }));
    this.#number = { number: agentNumber, isExact: true, trunks: [], carrierTrunks };
  }

  admits(): boolean {
    return !this.isFull;
  }

  refused(): void {
    this.refusals += 1;
  }

  onIncomingCall(call: IncomingCall): void {
    this.calls.push(call);
    this.#onCall(call);
  }

  async numbersOf(dialed: string): Promise<readonly DialedNumber[]> {
    this.lookedUp.push(dialed);
    return dialed === agentNumber ? [this.#number] : [];
  }

  /** Resolves to the next call that the adapter announces. */
  nextCall(): Promise<IncomingCall> {
    return new Promise((resolve) => {
      this.#onCall = resolve;
    });
  }
}
