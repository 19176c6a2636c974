import { z } from 'zod';
import { id, time } from './shapes.ts';

export const outboundCall = z.strictObject({
  success: z.literal(true),
  call_id: id,
  room_name: z.string(),
  status: z.literal('dialing'),
});

export const webCall = z.strictObject({
  success: z.literal(true),
  call_id: id,
  token: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
  url: z.literal('wss://voice.example.com/telephony/scripted/calls'),
  expires_at: time,
});

export const supervision = webCall.extend({ token: z.string().regex(/^s\.[A-Za-z0-9_-]{43}$/) });
