import { z } from 'zod';

/**
 * An id as a caller writes it, in the form that is stored: capitals are the same digits.
 * @see RFC 9562 §4
 */
export const recordIdSchema = z.uuid().toLowerCase();
