/** Options of all carriers. */
export interface CarrierOptions {
  /** Path segment in the URLs that the carrier requests; by default the carrier's name. */
  readonly id?: string;
  /**
   * Public URL of this process with the path of the mount, such as `https://node-1.example.com/voice`. By default
   * `publicUrl` of `createVoiceAgents`. Required with several nodes, because stream and callbacks of a call must reach
   * the node that runs it.
   */
  readonly publicUrl?: string;
  /** Base URL that replaces the carrier's API, such as that of a compatible carrier. */
  readonly apiUrl?: string;
}
