import { plivo } from '@va/carriers/plivo';
import { telnyx } from '@va/carriers/telnyx';
import { twilio } from '@va/carriers/twilio';
import { vonage } from '@va/carriers/vonage';
import { type CarrierType, carrierTypes } from '@va/core';
import type { Telephony } from '@va/core/adapter';
import { type WebCallsOptions, webCalls } from '@va/web/server';
import type { ServeFlags } from './flags.ts';
import { invalid, oneOf } from './option-values.ts';

const carriers: Readonly<Record<CarrierType, (options: CarrierAddresses) => Telephony>> = {
  twilio,
  telnyx,
  plivo,
  vonage,
};

interface CarrierAddresses {
  /** Base URL that replaces that of the carrier's API. */
  readonly apiUrl?: string;
  /** Public URL of this node. */
  readonly publicUrl?: string;
}

interface CarrierChoice extends CarrierAddresses {
  readonly name: CarrierType;
}

/** Telephony over the HTTP server: media streams of carriers, and web calls. */
export interface SocketTelephony {
  readonly carriers: readonly CarrierChoice[];
  /** Null without web calls. */
  readonly web: WebCallsOptions | null;
}

/**
 * Converts the options of `va serve` to those of the carriers and web calls.
 * @throws VaError `invalid_options`
 */
export function socketTelephonyOf(values: ServeFlags): SocketTelephony {
  const { carrier = [], 'web-calls': takesWebCalls, 'web-origin': origins, 'node-url': nodeUrl } = values;
  const node = nodeUrl === undefined ? {} : { publicUrl: urlOf('--node-url', nodeUrl) };
  const choices = carrier.map((text) => ({ ...carrierOf(text), ...node }));
  const twice = choices.find(({ name }, n) => choices.findIndex((each) => each.name === name) !== n);
  if (twice !== undefined) throw invalid(`--carrier ${twice.name} is given twice.`);
  const web = takesWebCalls || origins !== undefined ? { ...node, ...(origins !== undefined && { origins }) } : null;
  if ((choices.length > 0 || web !== null) && values['public-url'] === undefined) {
    throw invalid('--carrier and --web-calls need --public-url, the address at which they reach the service.');
  }
  return { carriers: choices, web };
}

/** Creates the telephony adapters. */
export function openSocketTelephony({ carriers: choices, web }: SocketTelephony): Telephony[] {
  const adapters = choices.map(({ name, ...options }) => carriers[name](options));
  return web === null ? adapters : [...adapters, webCalls(web)];
}

/** Returns the start-up lines about the webhooks and endpoints to configure. */
export function socketLines({ carriers: choices, web }: SocketTelephony, publicUrl: string): string[] {
  const base = publicUrl.replace(/\/$/, '');
  const lines = choices.map(({ name }) => `Webhook of ${name}  ${base}/telephony/${name}/voice`);
  return web === null ? lines : [...lines, `Script for pages  ${base}/va-web.js`];
}

/** Parses `NAME` or `NAME=URL`, where URL replaces the address of the carrier's API. */
function carrierOf(text: string): CarrierChoice {
  const [name = '', ...url] = text.split('=');
  const chosen = oneOf('--carrier', name, carrierTypes);
  return url.length === 0 ? { name: chosen } : { name: chosen, apiUrl: urlOf('--carrier', url.join('=')) };
}

function urlOf(option: string, text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw invalid(`${option} ${text} is not a valid URL: expected an http or https URL, such as https://example.com.`);
}
