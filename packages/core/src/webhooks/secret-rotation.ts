import type { Clock } from '../ports/clock.ts';

const secretGraceMs = 24 * 3_600_000;

interface Secrets {
  readonly webhook_secret: string | null;
}

export interface PreviousSecret {
  webhook_previous_secret: string | null;
  /** `YYYY-MM-DDTHH:mm:ss.sssZ`. */
  webhook_previous_secret_expires_at: string | null;
}

/**
 * What follows where a secret is replaced: it signs beside the new one for a day, so that no request is refused while
 * the customer follows.
 */
export function rotated(
  { webhook_secret: secret }: Partial<Secrets>,
  { webhook_secret: previous }: Secrets,
  clock: Clock,
): Partial<PreviousSecret> {
  if (secret === undefined || secret === previous) return {};
  // Where there was none, or is to be none, nothing has to follow.
  if (secret === null || previous === null) {
    return { webhook_previous_secret: null, webhook_previous_secret_expires_at: null };
  }
  const expiresAt = new Date(clock.wallMs() + secretGraceMs).toISOString();
  return { webhook_previous_secret: previous, webhook_previous_secret_expires_at: expiresAt };
}

/** The secret before the one of now, while it is in its grace. */
export function secretInGrace(owner: PreviousSecret, now: string): string | null {
  const { webhook_previous_secret: secret, webhook_previous_secret_expires_at: expiresAt } = owner;
  return expiresAt !== null && now < expiresAt ? secret : null;
}
