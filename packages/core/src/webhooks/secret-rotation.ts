import type { Clock } from '../ports/clock.ts';

const secretGraceMs = 24 * 3_600_000;

interface CurrentSecret {
  readonly webhook_secret: string | null;
}

export interface PreviousSecret {
  webhook_previous_secret: string | null;
  /** `YYYY-MM-DDTHH:mm:ss.sssZ`. */
  webhook_previous_secret_expires_at: string | null;
}

/**
 * Returns the changes of the previous secret when a secret is replaced: for a day, requests are signed with both, so
 * that none is refused while the customer switches.
 */
export function rotated(
  { webhook_secret: secret }: Partial<CurrentSecret>,
  { webhook_secret: previous }: CurrentSecret,
  clock: Clock,
): Partial<PreviousSecret> {
  if (secret === undefined || secret === previous) return {};
  // No overlap if there was no secret, or there is none from now on.
  if (secret === null || previous === null) {
    return { webhook_previous_secret: null, webhook_previous_secret_expires_at: null };
  }
  const expiresAt = new Date(clock.wallMs() + secretGraceMs).toISOString();
  return { webhook_previous_secret: previous, webhook_previous_secret_expires_at: expiresAt };
}

/** Returns the previous secret during its grace period; null otherwise. */
export function secretInGrace(owner: PreviousSecret, now: string): string | null {
  const { webhook_previous_secret: secret, webhook_previous_secret_expires_at: expiresAt } = owner;
  return expiresAt !== null && now < expiresAt ? secret : null;
}
