import type { SipRequest, SipResponse } from '../message/message.ts';
import { createResponse } from '../message/response.ts';
import { parseUri, uriScheme } from '../message/uri.ts';
import { sdpType } from './session/session-media.ts';
import { supported, unsupportedIn } from './supported.ts';

export const allowedMethods = 'INVITE, ACK, BYE, CANCEL, OPTIONS, INFO, PRACK, UPDATE, REFER, NOTIFY';

const allow: readonly [string, string] = ['Allow', allowedMethods];
const accept: readonly [string, string] = ['Accept', sdpType];

/** Known methods that are not supported: rejected with 405 Method Not Allowed rather than 501 Not Implemented. */
const knownMethods: readonly string[] = [
  'ACK',
  'BYE',
  'CANCEL',
  'INFO',
  'INVITE',
  'MESSAGE',
  'NOTIFY',
  'OPTIONS',
  'PRACK',
  'PUBLISH',
  'REFER',
  'REGISTER',
  'SUBSCRIBE',
  'UPDATE',
];

/** Builds the response to OPTIONS. @see RFC 3261 §11.2 */
export function describeCapabilities(request: SipRequest, toTag: string): SipResponse {
  const encoding: readonly [string, string] = ['Accept-Encoding', 'identity'];
  return createResponse(request, 200, { toTag, headers: [allow, accept, encoding, supported] });
}

/** Rejects an unsupported request and lists what is supported instead. @see RFC 3261 §8.2.1, RFC 6665 §4.2.1.1 */
export function rejectMethod(request: SipRequest, toTag: string): SipResponse {
  if (request.method === 'SUBSCRIBE') return createResponse(request, 489, { toTag, headers: [allow] });
  const status = knownMethods.includes(request.method) ? 405 : 501;
  return createResponse(request, status, { toTag, headers: [allow] });
}

/**
 * Returns the rejection of a request that requires unsupported extensions or URI schemes, whatever its method; null if
 * it is acceptable.
 * @see RFC 3261 §8.2.2, §8.2.3
 */
export function screenRequest(request: SipRequest, toTag: string): SipResponse | null {
  const refuse = (status: number, headers: (readonly [string, string])[] = []): SipResponse =>
    createResponse(request, status, { toTag, headers });
  const { headers } = request;
  const uri = parseUri(request.uri);
  if (uri === null) {
    const scheme = uriScheme(request.uri);
    const ours = scheme === null || scheme === 'sip' || scheme === 'sips' || scheme === 'tel';
    return refuse(ours ? 400 : 416);
  }
  if (uri.headers !== '') return refuse(400);
  const unsupported = unsupportedIn(request);
  if (unsupported.length > 0) return refuse(420, [['Unsupported', unsupported.join(', ')]]);
  const encodings = headers.list('Content-Encoding').filter((each) => each.toLowerCase() !== 'identity');
  if (encodings.length > 0) return refuse(415, [['Accept-Encoding', 'identity']]);
  return request.method === 'INVITE' || request.method === 'UPDATE' ? screenOffer(request, refuse) : null;
}

function screenOffer(
  request: SipRequest,
  refuse: (status: number, headers?: (readonly [string, string])[]) => SipResponse,
): SipResponse | null {
  const type = request.headers.get('Content-Type')?.split(';', 1)[0]?.trim().toLowerCase();
  if (request.body.length > 0 && type !== sdpType) return refuse(415, [accept]);
  const acceptable = request.headers.list('Accept').map((each) => each.split(';', 1)[0]?.trim().toLowerCase());
  const takesSdp = ['*/*', 'application/*', sdpType].some((each) => acceptable.includes(each));
  return acceptable.length > 0 && !takesSdp ? refuse(406) : null;
}
