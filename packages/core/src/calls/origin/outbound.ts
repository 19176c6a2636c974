import { timestamp } from '../../clock/timestamp.ts';
import type { Ending } from '../../conversation/state/phase.ts';
import type { Agent } from '../../domain/agents/agent.ts';
import { type Call, shownCall } from '../../domain/calls/call.ts';
import { VaError } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Storage } from '../../ports/storage/storage.ts';
import type { LegEnd, OutgoingCall } from '../../ports/telephony.ts';
import type { Vault } from '../../ports/vault.ts';
import { assistantOf } from '../assistant.ts';
import type { CallOrigin, Line, ResolvedOrigin, Resolving } from '../call-origin.ts';
import { legEnding, unansweredEnding } from '../ending.ts';
import type { DestinationGuard } from '../limits/destination-guard.ts';
import { DialedLine } from '../line/dialed-line.ts';
import { type TrunkDialRequest, trunkAccess } from '../line/trunk-access.ts';
import { requireProviders } from '../session/call-providers.ts';
import type { ProviderRegistry } from '../session/provider-registry.ts';
import type { OutboundRequest } from './placing.ts';

export interface OutboundDependencies {
  readonly storage: Storage;
  /** Stores the passwords of trunks. */
  readonly vault: Vault | undefined;
  readonly registry: ProviderRegistry;
  readonly destinations: Pick<DestinationGuard, 'refusal'>;
  /**
   * Places a call through the first telephony adapter that can.
   * @throws VaError `dial_failed`
   */
  readonly dial: (request: TrunkDialRequest) => OutgoingCall;
  readonly clock: Clock;
}

/** An outbound call: dials at once, and connects the agent's providers when the call is answered. */
export class Outbound implements CallOrigin {
  readonly organization: OutboundRequest['organization'];
  readonly number: OutboundRequest['number'];
  readonly agent: Agent;
  readonly line: Line;
  readonly answering: CallOrigin['answering'];
  readonly greetsWhenHeard = true;
  readonly keysOnAnswer: string | null;
  readonly transferTrunkId: string;
  readonly calledOff: Ending = { reason: 'canceled', error: null };
  readonly #deps: OutboundDependencies;

  /** @param onRung called when the far end stops ringing, answered or not */
  constructor(deps: OutboundDependencies, request: OutboundRequest, onRung: () => void = () => {}) {
    const { organization, number, agent, trunk, destination, ringTimeoutSeconds, keysOnAnswer, call } = request;
    this.#deps = deps;
    this.organization = organization;
    this.number = number;
    this.agent = agent;
    this.keysOnAnswer = keysOnAnswer;
    this.transferTrunkId = number.transfer_trunk_id ?? trunk.id;
    this.answering = agent.voicemail_detection ? { voicemailMessage: agent.voicemail_message } : null;
    this.line = new DialedLine({
      clock: deps.clock,
      ringTimeoutMs: ringTimeoutSeconds * 1_000,
      onRung,
      dial: async () => {
        const planned = { orgId: organization.id, callId: call.id, destination, purpose: 'call' } as const;
        const refusal = await deps.destinations.refusal(planned);
        if (refusal !== null) throw new VaError('destination_not_allowed', refusal);
        const access = await trunkAccess(deps, organization.id, trunk);
        return deps.dial({ callId: call.id, destination, callerNumber: number.number, trunk: access });
      },
    });
  }

  /** Returns null if the call was ended while it was queued. */
  async begin(call: Call): Promise<Call | null> {
    const now = timestamp(this.#deps.clock);
    const changes = { status: 'connecting', started_at: now, updated_at: now } as const;
    const { calls } = this.#deps.storage;
    const begun = await calls.update(this.organization.id, call.id, changes, { status: 'queued' });
    return begun === null ? null : shownCall(begun);
  }

  async resolve({ logger }: Resolving): Promise<ResolvedOrigin> {
    const assistant = assistantOf(this.agent);
    requireProviders(assistant, this.#deps.registry, logger);
    return { agent: this.agent, assistant, rejection: null, changes: {} };
  }

  endingOf(end: LegEnd, isAnswered: boolean): Ending {
    if (end.cause === 'not-answered') return unansweredEnding(end);
    return legEnding(end, isAnswered ? 'user_hangup' : 'canceled');
  }
}
