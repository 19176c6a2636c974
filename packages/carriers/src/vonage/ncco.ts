import type { LegEncoding } from '@va/media';
import type { JsonFields } from '../shared/web/fields.ts';
import { contentTypeOf } from './stream.ts';

/** Call control instructions (NCCO). @see https://developer.vonage.com/en/voice/voice-api/ncco-reference */
export type Ncco = readonly JsonFields[];

/** Returns instructions that connect the call to a WebSocket. The call ends when the WebSocket closes. */
export function connectStream(uri: string, encoding: LegEncoding): Ncco {
  const endpoint = { type: 'websocket', uri, 'content-type': contentTypeOf(encoding), headers: {} };
  return [{ action: 'connect', endpoint: [endpoint] }];
}

/** Returns instructions that connect the call to a number or SIP address. */
export function dial(destination: string, callerNumber: string): Ncco {
  return [{ action: 'connect', from: withoutPlus(callerNumber), endpoint: [endpointOf(destination)] }];
}

export function endpointOf(destination: string): JsonFields {
  return destination.startsWith('sip:')
    ? { type: 'sip', uri: destination }
    : { type: 'phone', number: withoutPlus(destination) };
}

/** Removes the `+` of an E.164 number, as Vonage requires. */
export function withoutPlus(number: string): string {
  return number.replace(/^\+/, '');
}
