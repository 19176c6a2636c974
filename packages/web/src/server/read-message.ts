import { z } from 'zod';
import { maxKeys, maxSdpLength, maxTextLength, maxToolResultLength, type UpMessage } from '../protocol/messages.ts';

const sequence = z.int().min(0).max(0xffff_ffff);
const version = z.int();

const schema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('hello'),
    version,
    token: z.string().max(100),
    audio: z.array(z.string().max(50)).max(20).exactOptional(),
    webrtc: z.boolean().optional(),
  }),
  z.object({ type: z.literal('resume'), version, secret: z.string().max(100), received: sequence }),
  z.object({ type: z.literal('played'), sequence }),
  z.object({ type: z.literal('text'), text: z.string().trim().min(1).max(maxTextLength) }),
  z.object({
    type: z.literal('keys'),
    keys: z
      .string()
      .regex(/^[0-9*#A-D]+$/)
      .max(maxKeys),
  }),
  z.object({ type: z.literal('mute'), muted: z.boolean() }),
  z.object({ type: z.literal('tool-result'), id: z.string().max(200), result: z.unknown() }),
  z.object({ type: z.literal('tool-error'), id: z.string().max(200), error: z.string().max(2_000) }),
  z.object({ type: z.literal('offer'), sdp: z.string().max(maxSdpLength), id: sequence.exactOptional() }),
  z.object({ type: z.literal('use-websocket') }),
  z.object({ type: z.literal('hang-up') }),
]);

/** Parses a message of a page; null if it is invalid. */
export function readMessage(text: string): UpMessage | null {
  if (text.length > maxToolResultLength) return null;
  try {
    const parsed = schema.safeParse(JSON.parse(text));
    return parsed.success ? { ...parsed.data } : null;
  } catch {
    return null;
  }
}
