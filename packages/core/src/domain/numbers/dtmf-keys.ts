import { z } from 'zod';

/** 1 to 100 characters: keys of a phone, and `w` and `W` for pauses of 0.5 and 1 s. */
export const dtmfKeysPattern = /^[0-9A-D*#wW]{1,100}$/;

/** Default length of a tone, in milliseconds. */
export const defaultToneMs = 100;
export const toneLimitsMs = { least: 40, most: 5_000 } as const;

/** Keys to press, such as `ww204` for an extension after a second. */
export const dtmfKeysSchema = z
  .string()
  .regex(dtmfKeysPattern, 'expected digits 0-9, A-D, *, #, and w or W for a pause');
