/** What the processes of the soak have to agree on. */
export const number = '+31201234567';

/** What only the service itself can tell. */
export interface InsideFigures {
  /** After a collection of garbage. */
  readonly heapMb: number;
  readonly rssMb: number;
  /** What keeps its event loop alive, by kind. */
  readonly resources: Readonly<Record<string, number>>;
}
