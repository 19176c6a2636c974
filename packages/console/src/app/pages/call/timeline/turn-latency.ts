import type { CallEventData } from '@va/client';

/** Latency stages of one turn in milliseconds. */
export type LatencyStages = CallEventData['latency'];
