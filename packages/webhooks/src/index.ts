import {
  type AddressPolicy,
  createAddressPolicy,
  type HostLookup,
  type RandomBytes,
  systemRandom,
  type WebhookDispatcher,
} from '@va/core/adapter';
import { Dispatcher } from './delivery/dispatcher.ts';

export type { HostLookup } from '@va/core/adapter';

/** Options of {@link webhooks}. */
export interface WebhooksOptions {
  /**
   * Allows private, loopback and link-local addresses, for all or for certain URLs. False by default: otherwise the
   * configuration of an agent could reach hosts in the network of this service.
   */
  readonly allowPrivateTargets?: boolean | ((url: URL) => boolean);
  /**
   * Addresses that webhooks and tools may go to; by default those of the public internet. Allow single servers of your
   * own network with `createAddressPolicy({ allowed: ['hooks.internal', '10.20.0.0/16'] })`.
   */
  readonly addresses?: AddressPolicy;
  /**
   * Replaces the service's own DNS client and the hosts file, for example for names from search domains. The address
   * policy applies to its results too.
   */
  readonly lookup?: HostLookup;
  /** Source of random bytes for webhook ids and the jitter of retries. */
  readonly random?: RandomBytes;
}

/**
 * Creates the dispatcher of webhooks over HTTP, signed by Standard Webhooks and in the `X-Webhook` headers. Failed
 * deliveries are retried under the same `webhook-id`: a status-update or campaign-update after 5 s, 30 s and 2 min, a
 * report nine times over three days.
 * @see verifyWebhook in `@va/webhooks/verify`, for the receiving side
 * @example createVoiceAgents({ webhooks: webhooks(), … })
 */
export function webhooks(options: WebhooksOptions = {}): WebhookDispatcher {
  const { allowPrivateTargets = false, addresses = createAddressPolicy() } = options;
  const { random = systemRandom, lookup } = options;
  // Passes a copy of the URL, because the original is used after the check.
  const allowsPrivate =
    typeof allowPrivateTargets === 'boolean'
      ? () => allowPrivateTargets
      : (url: URL) => allowPrivateTargets(new URL(url));
  return new Dispatcher({ allowsPrivate, addresses, random, lookup });
}
