import { systemClock, uuidv7 } from '@va/core/adapter';

export function newId(): string {
  return uuidv7(systemClock);
}
