import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { within } from '../../async/within.ts';
import type { DialPolicy } from '../../domain/numbers/dial-policy.ts';
import { toError } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Storage } from '../../ports/storage/storage.ts';

/** A planned outbound call or transfer. */
export interface PlannedDial {
  readonly orgId: string;
  readonly callId: string;
  /** E.164 number or SIP address. */
  readonly destination: string;
  readonly purpose: 'call' | 'transfer';
}

/** The host's decision on a destination. Throwing, or taking more than 5 s, counts as a refusal. */
export type MayDial = (planned: PlannedDial) => boolean | Promise<boolean>;

export interface DestinationGuardOptions {
  readonly storage: Pick<Storage, 'organizations'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly mayDial?: MayDial | undefined;
}

const askWithinMs = 5_000;

/** Checks destinations of outbound calls, campaigns and transfers against the organization's policy and the host's. */
export class DestinationGuard {
  readonly #options: DestinationGuardOptions;

  constructor(options: DestinationGuardOptions) {
    this.#options = options;
  }

  /** Returns the reason of a refusal; null if the destination is allowed. */
  async refusal(planned: PlannedDial): Promise<string | null> {
    const organization = await this.#options.storage.organizations.get(planned.orgId, planned.orgId);
    const reason = policyRefusal(organization?.dial_policy ?? null, planned.destination);
    if (reason !== null) return reason;
    return (await this.#hostAllows(planned)) ? null : 'The destination is not allowed.';
  }

  async #hostAllows(planned: PlannedDial): Promise<boolean> {
    const { mayDial, clock, logger } = this.#options;
    if (mayDial === undefined) return true;
    try {
      const asking = Promise.resolve(mayDial(planned));
      // The promise may still reject after the timeout.
      asking.catch(() => {});
      return (await within(askWithinMs, clock, asking)) === true;
    } catch (thrown) {
      logger.warn({ err: toError(thrown), callId: planned.callId }, 'mayDial threw; destination refused');
      return false;
    }
  }
}

function policyRefusal(policy: DialPolicy | null, destination: string): string | null {
  const number = numberOf(destination);
  const prefixes = policy?.prefixes ?? null;
  if (prefixes !== null && !prefixes.some((prefix) => destination.startsWith(prefix))) {
    return 'The destination is outside the prefixes that the organization may call.';
  }
  if (number === null || policy?.premium_rate === true || !isPremiumRate(number)) return null;
  return 'The destination is a premium-rate number.';
}

/** Returns the phone number of a destination, which may be the user part of a SIP address. */
function numberOf(destination: string): string | null {
  return /^(?:sips?:|tel:)?(\+\d{3,15})(?=$|[@;])/i.exec(destination)?.[1] ?? null;
}

function isPremiumRate(number: string): boolean {
  return parsePhoneNumberFromString(number)?.getType() === 'PREMIUM_RATE';
}
