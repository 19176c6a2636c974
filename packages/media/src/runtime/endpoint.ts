/** Transport address of a peer. */
export interface Endpoint {
  /** An IP address without brackets, or a host name. */
  readonly address: string;
  readonly port: number;
}
