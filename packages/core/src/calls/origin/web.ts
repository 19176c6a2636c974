import type { Ending } from '../../conversation/state/phase.ts';
import type { Call } from '../../domain/calls/call.ts';
import type { Clock } from '../../ports/clock.ts';
import type { IncomingCall, LegEnd } from '../../ports/telephony.ts';
import { assistantOf } from '../assistant.ts';
import type { CallOrigin, Line, ResolvedOrigin, Resolving } from '../call-origin.ts';
import { legEnding } from '../ending.ts';
import type { PassedLimit } from '../limits/limits.ts';
import { incomingLine } from '../line/incoming-line.ts';
import { requireProviders } from '../session/call-providers.ts';
import type { InboundDependencies } from './inbound.ts';
import { insertIncoming, limitRefusal } from './insert-incoming.ts';
import { insertKeyedCall } from './insert-keyed-call.ts';
import type { RedeemedGrant } from './redeemed-grant.ts';
import { Refusal } from './refusal.ts';

/** Dependencies of web calls. */
export type WebOriginDependencies = InboundDependencies & { readonly clock: Clock };

/** A call from a browser: for the agent of its grant, without a number on either side. */
export class WebOrigin implements CallOrigin {
  readonly organization: RedeemedGrant['organization'];
  readonly number = null;
  readonly agent: RedeemedGrant['agent'];
  readonly line: Line;
  readonly answering = null;
  readonly greetsWhenHeard = false;
  readonly keysOnAnswer = null;
  readonly transferTrunkId = null;
  readonly calledOff = { reason: 'api_hangup', error: null } as const;
  readonly #deps: WebOriginDependencies;
  readonly #key: RedeemedGrant['key'];
  #maxSeconds: number;
  #limit: PassedLimit | null;

  /** @param limit reason of a refusal that is known already */
  constructor(deps: WebOriginDependencies, grant: RedeemedGrant, incoming: IncomingCall, limit: PassedLimit | null) {
    this.#deps = deps;
    this.#limit = limit;
    this.#key = grant.key;
    this.#maxSeconds = grant.agent.max_duration_seconds;
    this.organization = grant.organization;
    this.agent = grant.agent;
    this.line = {
      ...incomingLine(incoming),
      openDisplay: (input) => incoming.openDisplay?.(input) ?? { show: () => {} },
    };
  }

  /** Stores the call even if a limit is reached; `resolve` then refuses it. */
  async begin(call: Call): Promise<Call> {
    const { storage, nodeId, clock } = this.#deps;
    const context = { nodeId: nodeId(), known: this.#limit };
    if (this.#key === null) this.#limit = await insertIncoming(storage, this.organization, call, context);
    else {
      const keyed = { ...context, key: this.#key, maxSeconds: this.#maxSeconds, clock };
      const start = await insertKeyedCall(storage, this.organization.id, call, keyed);
      if ('limit' in start) this.#limit = start.limit;
      else this.#maxSeconds = start.maxSeconds;
    }
    return call;
  }

  async resolve({ logger }: Resolving): Promise<ResolvedOrigin> {
    if (this.#limit !== null) throw limitRefusal(this.#limit);
    if (!this.agent.is_active) throw new Refusal('rejected_inactive', 'The agent is not active.', 'unavailable');
    const assistant = { ...assistantOf(this.agent), maxDurationSeconds: this.#maxSeconds };
    requireProviders(assistant, this.#deps.registry, logger);
    return { agent: this.agent, assistant, rejection: null, changes: {} };
  }

  endingOf(end: LegEnd, isAnswered: boolean): Ending {
    return legEnding(end, isAnswered ? 'user_hangup' : 'caller_abandoned');
  }
}
