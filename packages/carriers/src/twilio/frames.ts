/** A message of a media stream, as far as a call needs it. */
export type TwilioFrame =
  | { readonly event: 'start'; readonly streamSid: string; readonly callSid: string; readonly token: string | null }
  | { readonly event: 'media'; readonly audio: Uint8Array; readonly timestampMs: number | null }
  | { readonly event: 'dtmf'; readonly digit: string }
  | { readonly event: 'mark'; readonly name: string }
  | { readonly event: 'stop' };

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads a message; null for one that is of no interest or malformed.
 *
 * @see https://www.twilio.com/docs/voice/media-streams/websocket-messages
 */
export function readFrame(text: string): TwilioFrame | null {
  const message = parsed(text);
  switch (message?.event) {
    case 'start': {
      const start = fieldsOf(message.start);
      const { streamSid } = message;
      const { callSid } = start;
      const { token } = fieldsOf(start.customParameters);
      if (typeof streamSid !== 'string' || typeof callSid !== 'string') return null;
      return { event: 'start', streamSid, callSid, token: typeof token === 'string' ? token : null };
    }
    case 'media': {
      const { payload, timestamp } = fieldsOf(message.media);
      if (typeof payload !== 'string') return null;
      const timestampMs = Number(timestamp);
      return {
        event: 'media',
        audio: Buffer.from(payload, 'base64'),
        timestampMs: Number.isFinite(timestampMs) ? timestampMs : null,
      };
    }
    case 'dtmf': {
      const { digit } = fieldsOf(message.dtmf);
      return typeof digit === 'string' ? { event: 'dtmf', digit } : null;
    }
    case 'mark': {
      const { name } = fieldsOf(message.mark);
      return typeof name === 'string' ? { event: 'mark', name } : null;
    }
    case 'stop':
      return { event: 'stop' };
    default:
      return null;
  }
}

function parsed(text: string): Fields | null {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return null;
  }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
