import type { ProviderFault } from '@va/core';

/** An error that a service reported in a message. */
export interface ServiceFault {
  readonly fault: ProviderFault;
  readonly message: string;
  /** Context of the error; undefined if it concerns the whole connection. */
  readonly contextId?: string | undefined;
}
