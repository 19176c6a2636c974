export interface TwilioOptions {
  /** Part of the URLs that Twilio calls; `twilio` by default. */
  readonly id?: string;
  /**
   * Public URL of this process, with the path of the mount, such as `https://node-1.example.com/voice`. By default
   * `publicUrl` of `createVoiceAgents`. Needed for several nodes: stream and callbacks of a call have to reach the node
   * that took it.
   */
  readonly publicUrl?: string;
  /** Replaces the address of Twilio's API, for compatible carriers. By default the region of the trunk's account. */
  readonly apiUrl?: string;
}
