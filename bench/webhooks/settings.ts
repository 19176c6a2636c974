/** Number of customers' servers. */
export const customers = 100;
/** Deliveries of one throughput run. */
export const deliveries = 4_000;
/** Events sent at once, and jobs that the bare pg-boss fetches at once. */
export const batch = 50;
export const rounds = 9;
/** Latency runs: events per second, duration in seconds, and number of blocks with and without a dead neighbour. */
export const eventsPerSecond = 200;
export const seconds = 2;
export const blocks = 30;
/** Jobs in the backlog. */
export const backlog = 100_000;
/** Time until the backlog becomes due: enough to store it and to measure meanwhile. */
export const backlogDelayMs = 150_000;
/** Transcript of a call of a few minutes. */
export const transcript: readonly unknown[] = Array.from({ length: 12 }, (_, n) => ({
  role: n % 2 === 0 ? 'assistant' : 'user',
  content: 'I would like to reserve a table for four people tomorrow evening at seven, please.',
}));
