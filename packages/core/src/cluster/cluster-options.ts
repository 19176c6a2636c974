/** Options of a process that shares its storage with others. */
export interface ClusterOptions {
  /** Readable name of this process; by default the host name and the process id. */
  readonly nodeName?: string;
  /**
   * Time after the last renewal of its lease at which a process counts as dead, and its calls end as `worker_lost`.
   * 12,000 by default, with which those calls end within 30 s even after a short outage of the database.
   */
  readonly leaseMs?: number;
  /**
   * Maximum number of concurrent calls of all processes together; no limit by default. Further ones are refused with
   * SIP 503.
   */
  readonly maxConcurrentCalls?: number;
}
