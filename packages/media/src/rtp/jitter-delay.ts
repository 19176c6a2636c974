import type { Reception } from './reception.ts';

/** Delay for a missing packet: a multiple of the mean jitter, within limits. */
const baseDelayMs = 20;
const delayPerJitter = 4;
const minDelayMs = 40;
const maxDelayMs = 120;
/** Before this number of packets the jitter is not reliable, and the initial delay applies. */
const packetsToMeasure = 50;
const initialDelayMs = 60;

/** Returns how long the packets after a missing one wait for it. */
export function jitterDelayMs({ jitterMs, packetsReceived }: Reception): number {
  if (packetsReceived < packetsToMeasure) return initialDelayMs;
  return Math.min(maxDelayMs, Math.max(minDelayMs, baseDelayMs + delayPerJitter * jitterMs));
}
