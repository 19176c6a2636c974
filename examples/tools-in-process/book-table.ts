import { defineTool, type HostTool, ToolError } from '@va/core';
import { z } from 'zod';
import type { Reservations } from './reservations.ts';

export const bookTable = (reservations: Reservations): HostTool =>
  defineTool({
    name: 'book_table',
    description: 'Books a table.',
    parameters: z.object({ people: z.int().min(1).max(20), day: z.iso.date(), name: z.string().max(100) }),
    message: 'One moment.',
    async execute({ people, day, name }, { call, idempotencyKey }) {
      const wanted = { request: idempotencyKey, people, day, name, phone: call.caller_phone };
      const table = await reservations.book(wanted);
      if (table === null) throw new ToolError(`There is no table for ${people} on ${day}.`);
      return { table: table.number, day };
    },
  });
