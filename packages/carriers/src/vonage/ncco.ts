import type { LegEncoding } from '@va/media';
import type { Fields } from '../shared/web/fields.ts';
import { contentTypeOf } from './stream.ts';

/** Instructions for a call. @see https://developer.vonage.com/en/voice/voice-api/ncco-reference */
export type Ncco = readonly Fields[];

/** Connects the call with a WebSocket; the call ends with it. */
export function connectStream(uri: string, encoding: LegEncoding): Ncco {
  const endpoint = { type: 'websocket', uri, 'content-type': contentTypeOf(encoding), headers: {} };
  return [{ action: 'connect', endpoint: [endpoint] }];
}

/** Connects the call with another number or SIP address. */
export function dial(destination: string, callerNumber: string): Ncco {
  return [{ action: 'connect', from: withoutPlus(callerNumber), endpoint: [endpointOf(destination)] }];
}

export function endpointOf(destination: string): Fields {
  return destination.startsWith('sip:')
    ? { type: 'sip', uri: destination }
    : { type: 'phone', number: withoutPlus(destination) };
}

/** Vonage writes E.164 numbers without "+". */
export function withoutPlus(number: string): string {
  return number.replace(/^\+/, '');
}
