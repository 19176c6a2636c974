/** Servers of customers, each with a port of its own. */
export const customers = 100;
/** What one run of throughput delivers. */
export const deliveries = 4_000;
/** How many events come at once, and how many jobs a bare pg-boss takes at once. */
export const batch = 50;
export const rounds = 9;
/** Of the latency: events a second, for how long at a time, and how many times with and without a dead neighbour. */
export const eventsPerSecond = 200;
export const seconds = 2;
export const blocks = 30;
/** Jobs that wait, as a process leaves them that dies. */
export const backlog = 100_000;
/** Time until the backlog comes up: long enough to store it and to measure beside it. */
export const backlogDelayMs = 150_000;
/** The body of a report of a call of some minutes. */
export const transcript: readonly unknown[] = Array.from({ length: 12 }, (_, n) => ({
  role: n % 2 === 0 ? 'assistant' : 'user',
  content: 'I would like to reserve a table for four people tomorrow evening at seven, please.',
}));
