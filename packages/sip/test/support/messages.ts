import type { SipMessage, SipRequest, SipResponse } from '../../src/message/message.ts';
import { parseMessage } from '../../src/message/parse.ts';

/** Builds a message with any line ends, an empty line before its body. */
export function wire(text: string): Uint8Array {
  return new TextEncoder().encode(text.replace(/\r?\n/g, '\r\n'));
}

export function parsed(text: string): SipMessage {
  const result = parseMessage(wire(text));
  if (!result.ok) throw new Error(`${result.fault.code}: ${result.fault.message}`);
  return result.message;
}

export function parsedRequest(text: string): SipRequest {
  const message = parsed(text);
  if (message.kind !== 'request') throw new Error('unexpected response');
  return message;
}

export function parsedResponse(text: string): SipResponse {
  const message = parsed(text);
  if (message.kind !== 'response') throw new Error('unexpected request');
  return message;
}

export const offerText = `v=0
o=- 1 1 IN IP4 127.0.0.1
s=-
c=IN IP4 127.0.0.1
t=0 0
m=audio 40000 RTP/AVP 8 0 96
a=rtpmap:96 telephone-event/8000
`;

/** An offer to receive at that port. */
export function offerAt(port: number, lines = 'a=sendrecv\n'): string {
  return offerText.replace('40000', String(port)) + lines;
}

export interface RequestParts {
  readonly method?: string;
  readonly uri?: string;
  readonly branch?: string;
  readonly via?: string;
  readonly callId?: string;
  readonly cseq?: number;
  readonly toTag?: string;
  readonly fromTag?: string;
  readonly port?: number;
  readonly headers?: readonly string[];
  readonly sdp?: string;
  /** Media type of the body. */
  readonly body?: { readonly type: string; readonly text: string };
}

/** A request of a peer at 127.0.0.1. */
export function requestText(parts: RequestParts = {}): string {
  const { method = 'INVITE', callId = 'call-1', cseq = 1, port = 5099, sdp, headers = [] } = parts;
  const branch = parts.branch ?? `z9hG4bK-${callId}-${cseq}-${method}`;
  const lines = [
    `${method} ${parts.uri ?? 'sip:+31201234567@127.0.0.1'} SIP/2.0`,
    parts.via ?? `Via: SIP/2.0/UDP 127.0.0.1:${port};branch=${branch};rport`,
    `From: "Ann" <sip:+31612345678@127.0.0.1>;tag=${parts.fromTag ?? 'ann'}`,
    `To: <sip:+31201234567@127.0.0.1>${parts.toTag === undefined ? '' : `;tag=${parts.toTag}`}`,
    `Call-ID: ${callId}`,
    `CSeq: ${cseq} ${method}`,
    `Contact: <sip:ann@127.0.0.1:${port}>`,
    'Max-Forwards: 70',
    ...headers,
  ];
  if (sdp !== undefined) lines.push('Content-Type: application/sdp');
  if (parts.body !== undefined) lines.push(`Content-Type: ${parts.body.type}`);
  const body = (sdp ?? parts.body?.text ?? '').replace(/\r?\n/g, '\r\n');
  lines.push(`Content-Length: ${Buffer.byteLength(body)}`);
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}
