import type { Ending } from '../../conversation/state/phase.ts';
import type { Agent } from '../../domain/agents/agent.ts';
import type { Call } from '../../domain/calls/call.ts';
import type { Storage } from '../../ports/storage/storage.ts';
import type { IncomingCall, LegEnd } from '../../ports/telephony.ts';
import type { CallOrigin, Line, ResolvedOrigin, Resolving } from '../call-origin.ts';
import { legEnding } from '../ending.ts';
import type { PassedLimit } from '../limits/limits.ts';
import { incomingLine } from '../line/incoming-line.ts';
import type { ProviderRegistry } from '../session/provider-registry.ts';
import { insertIncoming, limitRefusal } from './insert-incoming.ts';
import { Refusal } from './refusal.ts';
import { resolveAssistant } from './resolve-assistant.ts';
import type { NumberRoute } from './routing.ts';

export interface InboundDependencies {
  readonly storage: Storage;
  /** Returns the id of this process, which its call records contain. */
  readonly nodeId: () => string;
  readonly registry: ProviderRegistry;
}

/** An inbound call: rings until its agent is resolved and ready. */
export class Inbound implements CallOrigin {
  readonly organization: NumberRoute['organization'];
  readonly number: NumberRoute['number'];
  readonly agent: NumberRoute['agent'];
  readonly line: Line;
  readonly answering = null;
  readonly greetsWhenHeard = false;
  readonly keysOnAnswer = null;
  readonly transferTrunkId: string | null;
  readonly calledOff = { reason: 'api_hangup', error: null } as const;
  readonly #deps: InboundDependencies;
  readonly #route: NumberRoute;
  readonly #incoming: IncomingCall;
  #limit: PassedLimit | null;

  /** @param limit reason of a refusal that is known already */
  constructor(deps: InboundDependencies, route: NumberRoute, incoming: IncomingCall, limit: PassedLimit | null = null) {
    this.#deps = deps;
    this.#route = route;
    this.#incoming = incoming;
    this.#limit = limit;
    this.organization = route.organization;
    this.number = route.number;
    this.agent = route.agent;
    this.transferTrunkId = route.number.transfer_trunk_id;
    this.line = incomingLine(incoming);
  }

  /** Stores the call even if a limit is reached; `resolve` then refuses it. */
  async begin(call: Call): Promise<Call> {
    const { storage, nodeId } = this.#deps;
    const known = this.#limit;
    this.#limit = await insertIncoming(storage, this.organization, call, { nodeId: nodeId(), known });
    return call;
  }

  async resolve({ call, webhooks, logger, signal }: Resolving): Promise<ResolvedOrigin> {
    const { storage, registry } = this.#deps;
    if (this.#limit !== null) throw limitRefusal(this.#limit);
    if (!this.number.is_active || this.agent?.is_active === false) {
      throw new Refusal('rejected_inactive', 'The number or its agent is not active.', 'unavailable');
    }
    this.#incoming.ring();
    const answer = await webhooks.askForAssistant(call, signal);
    const resolution = await resolveAssistant({ storage, registry, logger }, this.#route, answer);
    return { ...resolution, changes: namesOf(resolution.agent) };
  }

  endingOf(end: LegEnd, isAnswered: boolean): Ending {
    return legEnding(end, isAnswered ? 'user_hangup' : 'caller_abandoned');
  }
}

/** Returns the record's fields for the agent that takes the call. */
function namesOf(agent: Agent | null): Partial<Call> {
  if (agent === null) return {};
  return {
    agent_id: agent.id,
    agent_name: agent.name,
    business_name: agent.business_name,
    metadata: agent.metadata,
  };
}
