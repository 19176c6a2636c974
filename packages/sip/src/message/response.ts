import { SipHeaders } from './headers.ts';
import { noBody, type SipRequest, type SipResponse } from './message.ts';

const reasons = new Map<number, string>([
  [100, 'Trying'],
  [180, 'Ringing'],
  [181, 'Call Is Being Forwarded'],
  [183, 'Session Progress'],
  [200, 'OK'],
  [202, 'Accepted'],
  [400, 'Bad Request'],
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [404, 'Not Found'],
  [405, 'Method Not Allowed'],
  [406, 'Not Acceptable'],
  [408, 'Request Timeout'],
  [415, 'Unsupported Media Type'],
  [416, 'Unsupported URI Scheme'],
  [420, 'Bad Extension'],
  [422, 'Session Interval Too Small'],
  [423, 'Interval Too Brief'],
  [480, 'Temporarily Unavailable'],
  [481, 'Call/Transaction Does Not Exist'],
  [482, 'Loop Detected'],
  [486, 'Busy Here'],
  [487, 'Request Terminated'],
  [488, 'Not Acceptable Here'],
  [489, 'Bad Event'],
  [491, 'Request Pending'],
  [500, 'Server Internal Error'],
  [501, 'Not Implemented'],
  [503, 'Service Unavailable'],
  [505, 'Version Not Supported'],
  [513, 'Message Too Large'],
  [603, 'Decline'],
]);

/** Returns the standard reason phrase of a status; `Unknown` for a status that is not listed. */
export function reasonOf(status: number): string {
  return reasons.get(status) ?? 'Unknown';
}

interface ResponseOptions {
  readonly reason?: string;
  /** Tag to add to To if the request has none there. */
  readonly toTag?: string;
  readonly headers?: Iterable<readonly [string, string]>;
  readonly body?: { readonly type: string; readonly bytes: Uint8Array };
}

/**
 * Creates the response to a request, with the fields copied that RFC 3261 §8.2.6.2 names. Accepts damaged requests:
 * fields that are missing stay missing.
 */
export function createResponse(request: SipRequest, status: number, options: ResponseOptions = {}): SipResponse {
  const headers = new SipHeaders();
  for (const name of ['Via', 'From', 'To', 'Call-ID', 'CSeq']) {
    for (const value of request.headers.all(name)) headers.add(name, value);
  }
  const to = headers.get('To');
  if (options.toTag !== undefined && to !== undefined && !/;\s*tag\s*=/i.test(to.slice(to.lastIndexOf('>') + 1))) {
    headers.set('To', `${to};tag=${options.toTag}`);
  }
  for (const [name, value] of options.headers ?? []) headers.add(name, value);
  if (options.body !== undefined) headers.set('Content-Type', options.body.type);
  const reason = options.reason ?? reasonOf(status);
  return { kind: 'response', status, reason, headers, body: options.body?.bytes ?? noBody };
}
