import type { JSX } from 'preact';
import { keyTexts } from '../../texts/en/keys.ts';

export interface KeyTimes {
  readonly revoked_at: string | null;
  readonly expires_at: string | null;
}

export function KeyStatus({ of: times }: { readonly of: KeyTimes }): JSX.Element {
  if (times.revoked_at !== null) return <span class="badge bad">{keyTexts.revoked}</span>;
  if (isExpired(times)) return <span class="badge warn">{keyTexts.expired}</span>;
  return <span class="badge good">{keyTexts.valid}</span>;
}

function isExpired({ expires_at: at }: KeyTimes): boolean {
  return at !== null && new Date(at) < new Date();
}
