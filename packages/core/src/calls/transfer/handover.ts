import { toError } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Storage } from '../../ports/storage/storage.ts';
import type { LegEnd, MediaLeg, OutgoingCall, TransferOutcome, TransferRequest } from '../../ports/telephony.ts';
import type { Vault } from '../../ports/vault.ts';
import { type TrunkDialRequest, trunkAccess } from '../line/trunk-access.ts';
import { Bridge } from './bridge.ts';

/** Asks the destination whether it accepts the caller. */
type AskDestination = (
  leg: MediaLeg,
  request: Pick<TransferRequest, 'summary' | 'keysOnAnswer'>,
  signal: AbortSignal,
) => Promise<boolean>;

export interface HandoverDependencies {
  readonly storage: Storage;
  /** Stores the passwords of trunks. */
  readonly vault: Vault | undefined;
  /** @throws VaError `dial_failed` */
  readonly dial: (request: TrunkDialRequest) => OutgoingCall;
  readonly mediaTimeout: { readonly generalMs: number };
  readonly clock: Clock;
}

export interface HandoverOptions {
  readonly orgId: string;
  readonly callId: string;
  /** Caller number shown to the destination. */
  readonly callerNumber: string;
  /** Trunk of the call to the destination. */
  readonly trunkId: string;
  readonly ask: AskDestination;
  readonly hangUpCaller: () => void;
  /** Called with the bridge, which begins when the conversation has released the caller. */
  readonly onBridge: (bridge: Bridge) => void;
}

/** Transfers a caller within the service: calls the destination through a trunk and bridges the two legs. */
export class Handover {
  readonly #deps: HandoverDependencies;
  readonly #options: HandoverOptions;

  constructor(deps: HandoverDependencies, options: HandoverOptions) {
    this.#deps = deps;
    this.#options = options;
  }

  /** Never rejects. */
  async attempt(request: TransferRequest, caller: MediaLeg): Promise<TransferOutcome> {
    try {
      return await this.#attempt(request, caller);
    } catch (thrown) {
      return { type: 'failed', message: toError(thrown).message };
    }
  }

  async #attempt(request: TransferRequest, caller: MediaLeg): Promise<TransferOutcome> {
    const { destination, mode, keysOnAnswer, signal } = request;
    const deps = this.#deps;
    const { orgId, callId, callerNumber, trunkId, ask, hangUpCaller, onBridge } = this.#options;
    const trunk = await deps.storage.trunks.get(orgId, trunkId);
    if (trunk === null || !trunk.is_active) return { type: 'failed', message: 'The transfer trunk is not active.' };
    const access = await trunkAccess(deps, orgId, trunk);
    if (signal.aborted) return { type: 'failed', message: 'The transfer was aborted.' };
    const outgoing = deps.dial({ callId, destination, callerNumber, trunk: access });
    const left = new AbortController();
    let bridge: Bridge | null = null;
    let end: LegEnd | null = null;
    outgoing.onEnd((why) => {
      end = why;
      left.abort();
      bridge?.end();
    });
    const giveUp = (): void => outgoing.hangup();
    signal.addEventListener('abort', giveUp, { once: true });
    try {
      const leg = await answerOf(outgoing);
      if (leg === null) return unanswered(end);
      const asking = AbortSignal.any([signal, left.signal]);
      if (mode === 'warm' && !(await ask(leg, request, asking))) {
        outgoing.hangup();
        return { type: 'refused', reason: 'the destination declined the call' };
      }
      if (asking.aborted) return unanswered(end);
      bridge = new Bridge({
        caller: { leg: caller, hangup: hangUpCaller },
        destination: { leg, hangup: () => outgoing.hangup() },
        clock: deps.clock,
        mediaTimeoutMs: deps.mediaTimeout.generalMs,
        // A warm transfer has pressed the keys before it asked the destination.
        keysOnAnswer: mode === 'warm' ? null : keysOnAnswer,
      });
      onBridge(bridge);
      return { type: 'accepted' };
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }
}

async function answerOf(outgoing: OutgoingCall): Promise<MediaLeg | null> {
  return await outgoing.whenAnswered().catch(() => null);
}

function unanswered(end: LegEnd | null): TransferOutcome {
  if (end?.cause === 'not-answered') return { type: 'refused', reason: `${end.why}: ${end.message}` };
  if (end?.cause === 'remote-hangup') return { type: 'refused', reason: 'the destination hung up' };
  return { type: 'failed', message: end?.cause === 'transport-error' ? end.message : 'The transfer was aborted.' };
}
