import { z } from 'zod';

export const deletedSchema = z.object({ success: z.literal(true) });
