import { defineTool, type HostTool } from '@va/core';
import { z } from 'zod';

/** A reservation that the agent made. */
export interface Reservation {
  readonly name: string;
  readonly phone: string | null;
}

/** Creates the host tool with which the agent stores a reservation. */
export function reserveTable(onReserved: (reservation: Reservation) => void): HostTool {
  return defineTool({
    name: 'reserve_table',
    description: 'Reserves the table that the caller has accepted.',
    parameters: z.object({ name: z.string().min(1).max(100) }),
    execute({ name }, { call }) {
      onReserved({ name, phone: call.caller_phone });
      return { name };
    },
  });
}
