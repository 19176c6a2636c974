import type { PublishableKey } from '@va/core';
import { type Clock, RequestError, requireOrigin, sourceKey } from '@va/core/adapter';
import { MinuteCounter } from '../limits/minute-counter.ts';
import { nearer, refuseExceeded } from '../limits/rate-limits.ts';
import type { TrustedProxies } from '../limits/trusted-proxies.ts';
import type { HttpRequest } from '../message/http-request.ts';
import type { ScopedRoute } from '../route/route.ts';
import type { Cors } from './cors.ts';
import type { Exchange } from './exchange.ts';
import { fetchSiteOf } from './request/fetch-site.ts';

/**
 * Maximum number of pairs of key and address that are counted at once. Beyond it, new addresses have only the limit of
 * their key.
 */
const maxAddresses = 20_000;

/**
 * Decides on requests with a publishable key. They count neither for the organization nor for its other keys, so that
 * visitors of a page cannot use up the limits of the organization's servers.
 */
export class PageAdmission {
  readonly #keys: MinuteCounter;
  readonly #addresses: MinuteCounter;
  readonly #proxies: TrustedProxies;

  constructor(clock: Clock, proxies: TrustedProxies) {
    this.#keys = new MinuteCounter(clock, Number.POSITIVE_INFINITY);
    this.#addresses = new MinuteCounter(clock, Number.POSITIVE_INFINITY);
    this.#proxies = proxies;
  }

  /**
   * Admits a request to a route for pages, and lets the page read the response.
   * @throws RequestError 403 `forbidden` for another route or origin, 429 `rate_limit_exceeded`
   */
  admit(key: PublishableKey, route: Pick<ScopedRoute, 'admitsPages'>, exchange: Exchange): void {
    if (!route.admitsPages) {
      throw new RequestError(403, 'forbidden', 'A publishable key allows POST /calls/web only.');
    }
    const { request } = exchange;
    exchange.pageOrigin = requireOrigin(key, request.header('origin'));
    const address = this.#proxies.clientOf(request.remoteAddress, request.header('x-forwarded-for'));
    const own = address === null ? null : this.#takeAddress(key, sourceKey(address));
    exchange.rate = own;
    // Refused before the request counts for the key: one address must not use up the limit of all visitors.
    refuseExceeded(own);
    exchange.rate = nearer(own, this.#keys.take(key.id, key.calls_per_minute));
    refuseExceeded(exchange.rate);
  }

  #takeAddress(key: PublishableKey, address: string): ReturnType<MinuteCounter['take']> | null {
    const name = `${key.id} ${address}`;
    if (this.#addresses.size >= maxAddresses && !this.#addresses.has(name)) return null;
    return this.#addresses.take(name, key.calls_per_minute_per_address);
  }
}

/**
 * Refuses a request that a page of another origin sends without a publishable key, unless `cors` allows the origin.
 * Checked only on routes that admit publishable keys, because their preflight allows all origins.
 * @throws RequestError 403 `forbidden`
 */
export function refuseForeignPage(
  route: Pick<ScopedRoute, 'admitsPages'>,
  request: Pick<HttpRequest, 'header'>,
  cors: Cors | null,
): void {
  if (!route.admitsPages || fetchSiteOf(request) !== 'other') return;
  if (cors?.allows(request.header('origin'))) return;
  const message = 'A page of another origin needs a publishable key, or an origin in `cors` of the handler.';
  throw new RequestError(403, 'forbidden', message);
}
