import { memory } from '@va/storage/memory';
import { expect } from 'vitest';
import {
  type CallEvent,
  callEventMessageSchema,
  callEventSchema,
  toCallEventMessage,
} from '../../src/domain/calls/call-event.ts';
import type { Storage } from '../../src/ports/storage/storage.ts';

/** Returns a memory storage that passes on the events of calls as they are stored. */
export function memoryWithEvents(onEvent: (event: CallEvent) => void): Storage {
  const storage = memory();
  return {
    ...storage,
    callEvents: {
      ...storage.callEvents,
      async insertMany(orgId, events) {
        const inserted = await storage.callEvents.insertMany(orgId, events);
        for (const event of events) onEvent(event);
        return inserted;
      },
    },
  };
}

/** Validates events against the published schemas, which must name every field. */
export function expectDescribed(events: readonly CallEvent[]): void {
  for (const event of events) {
    expect(callEventSchema.parse(event)).toEqual(event);
    const message = toCallEventMessage(event);
    expect(callEventMessageSchema.parse(message)).toEqual(message);
  }
}
