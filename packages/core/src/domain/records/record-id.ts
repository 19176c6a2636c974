import { z } from 'zod';

/**
 * Normalizes an id to its stored form, in lower case.
 * @see RFC 9562 §4
 */
export const recordIdSchema = z.uuid().toLowerCase();
