import { z } from 'zod';

/** Position of a page in its list. */
export const paginationSchema = z.object({ total: z.int(), limit: z.int(), offset: z.int() });
/** Position of a page in its list. */
export type Pagination = z.infer<typeof paginationSchema>;
