const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/**
 * Connects the call with a media stream in both directions. URLs of streams have no query: data goes into parameters.
 *
 * @see https://www.twilio.com/docs/voice/twiml/stream
 */
export function connectStream(url: string, token: string): string {
  return document(
    `<Connect><Stream url="${escaped(url)}"><Parameter name="token" value="${escaped(token)}"/></Stream></Connect>`,
  );
}

/** Refuses a call before it is answered. @see https://www.twilio.com/docs/voice/twiml/reject */
export function reject(reason: 'busy' | 'rejected'): string {
  return document(`<Reject reason="${reason}"/>`);
}

/** Connects the caller with another number or SIP address. @see https://www.twilio.com/docs/voice/twiml/dial */
export function dial(destination: string, callerId: string): string {
  const target = destination.startsWith('sip:')
    ? `<Sip>${escaped(destination)}</Sip>`
    : `<Number>${escaped(destination)}</Number>`;
  return document(`<Dial callerId="${escaped(callerId)}">${target}</Dial>`);
}

function document(body: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><Response>${body}</Response>`;
}
