/** Settings shared by the processes. */
export const number = '+31201234567';

/** Figures that only the service itself has. */
export interface InsideFigures {
  /** After a garbage collection. */
  readonly heapMb: number;
  readonly rssMb: number;
  /** Resources that keep the event loop alive, by kind. */
  readonly resources: Readonly<Record<string, number>>;
}
