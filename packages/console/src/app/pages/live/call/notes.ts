import type { CallEvent } from '@va/client';
import { texts } from '../../../texts/en.ts';

/** Returns the text line of an event without its own component; null for an event that is shown elsewhere. */
export function noteOf({ type, data }: CallEvent): string | null {
  const { notes, statuses } = texts.live;
  switch (type) {
    case 'status':
      return notes.status(statuses[data.status] ?? data.status);
    case 'answered-by':
      return notes.answeredBy(data.kind);
    case 'language':
      return notes.language(data.language);
    case 'transfer': {
      const text = notes.transfer(data.destination, data.mode, data.status);
      return data.reason === null ? text : `${text} (${data.reason})`;
    }
    case 'take-over':
      return notes.takeOver[data.status];
    case 'budget':
      return notes.budget(data.scope, data.level);
    case 'dtmf':
      return notes.dtmf(data.digit);
    default:
      return null;
  }
}
