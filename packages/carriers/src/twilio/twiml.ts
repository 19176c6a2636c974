import { escapedXml, xmlDocument } from '../shared/web/xml.ts';

/**
 * Returns a document that connects the call to a bidirectional media stream. Twilio drops the query of a stream URL, so
 * the token is a parameter.
 *
 * @see https://www.twilio.com/docs/voice/twiml/stream
 */
export function connectStream(url: string, token: string): string {
  const parameter = `<Parameter name="token" value="${escapedXml(token)}"/>`;
  return xmlDocument(`<Connect><Stream url="${escapedXml(url)}">${parameter}</Stream></Connect>`);
}

/** Returns a document that refuses a call before it is answered. @see https://www.twilio.com/docs/voice/twiml/reject */
export function reject(reason: 'busy' | 'rejected'): string {
  return xmlDocument(`<Reject reason="${reason}"/>`);
}

/**
 * Returns a document that connects the caller to a number or SIP address.
 * @see https://www.twilio.com/docs/voice/twiml/dial
 */
export function dial(destination: string, callerId: string): string {
  const target = destination.startsWith('sip:')
    ? `<Sip>${escapedXml(destination)}</Sip>`
    : `<Number>${escapedXml(destination)}</Number>`;
  return xmlDocument(`<Dial callerId="${escapedXml(callerId)}">${target}</Dial>`);
}
