export interface ClusterOptions {
  /** What people know this process by; the host's name and the number of the process by default. */
  readonly nodeName?: string;
  /**
   * A process that has not been heard of for so long is taken for dead, and its calls end as `worker_lost`. 12 s by
   * default, so that it takes less than 30 s, also where the database was away for a while.
   */
  readonly leaseMs?: number;
  /**
   * How many calls all processes may have together, exactly; no limit by default. Beyond it calls are refused with SIP
   * 503.
   */
  readonly maxConcurrentCalls?: number;
}
