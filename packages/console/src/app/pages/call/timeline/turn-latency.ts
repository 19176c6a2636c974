import type { CallEventData } from '@va/client';

/** Latency of one turn, in milliseconds. */
export type TurnLatency = CallEventData['latency'];
