import {
  type AddressPolicy,
  createAddressPolicy,
  type RandomBytes,
  systemRandom,
  type WebhookDispatcher,
} from '@va/core';
import { Dispatcher } from './delivery/dispatcher.ts';
import type { HostLookup } from './request/target-guard.ts';

export type { HostLookup } from './request/target-guard.ts';

export interface WebhooksOptions {
  /**
   * Whether webhooks may go to private, loopback and link-local addresses; or for which URLs. Default false: whoever
   * configures an agent could otherwise reach into the network that this service runs in.
   */
  readonly allowPrivateTargets?: boolean | ((url: URL) => boolean);
  /**
   * The addresses that webhooks and tools may go to: by default those of the public internet. Allow single servers of
   * your own network with `createAddressPolicy({ allowed: ['hooks.internal', '10.20.0.0/16'] })`.
   */
  readonly addresses?: AddressPolicy;
  /**
   * Replaces the service's own DNS client and the hosts file, as where names come from search domains. The address
   * policy applies to its answers too.
   */
  readonly lookup?: HostLookup;
  /** Makes webhook ids and the jitter of retries. */
  readonly random?: RandomBytes;
}

/**
 * Delivers webhooks over HTTP, signed by Standard Webhooks and in the `X-Webhook` headers. A notification that fails is
 * repeated under the same `webhook-id`: a status-update after 5 s, 30 s and 2 min, a report nine times over three days.
 * @see verifyWebhook in `@va/webhooks/verify`, for the receiving side
 */
export function webhooks(options: WebhooksOptions = {}): WebhookDispatcher {
  const { allowPrivateTargets = false, addresses = createAddressPolicy() } = options;
  const { random = systemRandom, lookup } = options;
  // The host is given a URL of its own: what is guarded by it is used again.
  const allowsPrivate =
    typeof allowPrivateTargets === 'boolean'
      ? () => allowPrivateTargets
      : (url: URL) => allowPrivateTargets(new URL(url));
  return new Dispatcher({ allowsPrivate, addresses, random, lookup });
}
