import { escapedXml, xmlDocument } from '../shared/web/xml.ts';

/**
 * Returns a document that connects the call to a bidirectional audio stream. The call ends with the stream.
 *
 * @see https://docs.plivo.com/docs/voice/xml/audiostream
 */
export function connectStream(url: string): string {
  const attributes = 'bidirectional="true" keepCallAlive="true" contentType="audio/x-mulaw;rate=8000"';
  return xmlDocument(`<Stream ${attributes}>${escapedXml(url)}</Stream>`);
}

/** Returns a document that refuses a call before it is answered. @see https://docs.plivo.com/docs/voice/xml/hangup */
export function reject(reason: 'busy' | 'rejected'): string {
  return xmlDocument(`<Hangup reason="${reason}"/>`);
}

/**
 * Returns a document that connects the caller to a number or SIP address.
 * @see https://docs.plivo.com/docs/voice/xml/dial
 */
export function dial(destination: string, callerId: string): string {
  const target = destination.startsWith('sip:')
    ? `<User>${escapedXml(destination)}</User>`
    : `<Number>${escapedXml(destination)}</Number>`;
  return xmlDocument(`<Dial callerId="${escapedXml(callerId)}">${target}</Dial>`);
}
