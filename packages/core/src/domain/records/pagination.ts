import { z } from 'zod';

export const paginationSchema = z.object({ total: z.int(), limit: z.int(), offset: z.int() });
export type Pagination = z.infer<typeof paginationSchema>;
