/** Options that all carriers have. */
export interface CarrierOptions {
  /** Part of the URLs that the carrier calls; the carrier's name by default. */
  readonly id?: string;
  /**
   * Public URL of this process, with the path of the mount, such as `https://node-1.example.com/voice`. By default
   * `publicUrl` of `createVoiceAgents`. Needed for several nodes: stream and callbacks of a call have to reach the node
   * that took it.
   */
  readonly publicUrl?: string;
  /** Replaces the address of the carrier's API, such as that of a compatible carrier. */
  readonly apiUrl?: string;
}
