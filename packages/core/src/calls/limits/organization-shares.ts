import type { OrganizationRecord } from '../../domain/accounts/organization.ts';
import { RequestError } from '../../errors.ts';
import type { Records } from '../../ports/storage/records.ts';
import type { PassedLimit } from './limits.ts';

/** Limits of the calls of one organization in one process. */
export interface OrganizationLimits {
  /**
   * Maximum concurrent calls in this process of an organization without a `concurrency_limit`; 0 for no limit. Default:
   * half of `maxConcurrentCalls` with several organizations, no limit with one.
   */
  readonly maxCallsPerOrganization?: number;
  /**
   * Maximum ringing outbound calls in this process of one organization; 0 for no limit. Default: a quarter of
   * `maxConcurrentCalls` with several organizations, no limit with one.
   */
  readonly maxRingingCallsPerOrganization?: number;
}

export interface OrganizationSharesOptions {
  readonly storage: { readonly across: { readonly organizations: Pick<Records['across']['organizations'], 'find'> } };
  /** Maximum calls of this process. */
  readonly maxCalls: number;
  readonly limits?: OrganizationLimits | undefined;
}

/** A counted call. Both methods are idempotent. */
export interface CallShare {
  /** Stops counting the call as ringing. */
  answered(): void;
  end(): void;
}

interface Limit {
  readonly calls: number;
  /** True for a default, which does not apply to a sole organization. */
  readonly isDefault: boolean;
}

export const shareIsFull: PassedLimit = {
  reason: 'concurrency_limit_exceeded',
  message: 'The organization has reached its share of the calls of this process.',
};

/** Value of Retry-After when a limit is reached. */
const retryAfterSeconds = 5;

/** Counts the calls of each organization in this process, so that none takes all of its capacity. */
export class OrganizationShares {
  readonly #storage: OrganizationSharesOptions['storage'];
  readonly #callLimit: Limit;
  readonly #ringingLimit: Limit;
  readonly #calls = new Map<string, number>();
  readonly #ringing = new Map<string, number>();

  constructor({ storage, maxCalls, limits = {} }: OrganizationSharesOptions) {
    this.#storage = storage;
    this.#callLimit = toLimit(limits.maxCallsPerOrganization, maxCalls / 2);
    this.#ringingLimit = toLimit(limits.maxRingingCallsPerOrganization, maxCalls / 4);
  }

  /** Counts an inbound call; returns null if the organization has used its share. */
  async takeInbound(organization: Pick<OrganizationRecord, 'id' | 'concurrency_limit'>): Promise<CallShare | null> {
    const { id, concurrency_limit: ownLimit } = organization;
    if (!(await this.#take(this.#calls, id, ownLimit === null ? this.#callLimit : noLimit))) return null;
    return shareOf(
      () => {},
      () => drop(this.#calls, id),
    );
  }

  /**
   * Counts an outbound call, which rings until it is answered.
   * @throws RequestError 429 `concurrency_limit_exceeded`, `too_many_ringing_calls`
   */
  async takeOutbound(organization: Pick<OrganizationRecord, 'id' | 'concurrency_limit'>): Promise<CallShare> {
    const { id } = organization;
    const call = await this.takeInbound(organization);
    if (call === null) throw refusal(shareIsFull.reason, shareIsFull.message);
    if (await this.#take(this.#ringing, id, this.#ringingLimit)) {
      return shareOf(() => drop(this.#ringing, id), call.end);
    }
    call.end();
    throw refusal('too_many_ringing_calls', 'The organization has reached its share of ringing outbound calls.');
  }

  async #take(counts: Map<string, number>, orgId: string, limit: Limit): Promise<boolean> {
    const count = (counts.get(orgId) ?? 0) + 1;
    counts.set(orgId, count);
    if (count <= limit.calls) return true;
    try {
      if (limit.isDefault && !(await this.#hasSeveral())) return true;
    } catch (thrown) {
      drop(counts, orgId);
      throw thrown;
    }
    drop(counts, orgId);
    return false;
  }

  async #hasSeveral(): Promise<boolean> {
    return (await this.#storage.across.organizations.find({}, 2)).length > 1;
  }
}

const noLimit: Limit = { calls: Number.POSITIVE_INFINITY, isDefault: false };

function toLimit(given: number | undefined, byDefault: number): Limit {
  if (given === 0) return noLimit;
  return { calls: given ?? Math.max(1, Math.floor(byDefault)), isDefault: given === undefined };
}

function shareOf(onAnswered: () => void, onEnd: () => void): CallShare {
  let state: 'ringing' | 'answered' | 'ended' = 'ringing';
  const answered = (): void => {
    if (state !== 'ringing') return;
    state = 'answered';
    onAnswered();
  };
  const end = (): void => {
    answered();
    if (state === 'ended') return;
    state = 'ended';
    onEnd();
  };
  return { answered, end };
}

function drop(counts: Map<string, number>, orgId: string): void {
  const left = (counts.get(orgId) ?? 0) - 1;
  if (left > 0) counts.set(orgId, left);
  else counts.delete(orgId);
}

function refusal(code: string, message: string): RequestError {
  return new RequestError(429, code, message, [], { retryAfterSeconds });
}
