import type { SttEvent } from '@va/core/adapter';
import { silentLogger, VirtualClock } from '@va/testkit';
import { expect, it } from 'vitest';
import { FinalizeRecognizer } from '../../src/cartesia/transcription/finalize-recognizer.ts';

it('FinalizeRecognizer ends a segment of more than 4,000 characters by itself', () => {
  const events: SttEvent[] = [];
  const host = {
    id: 'cartesia',
    clock: new VirtualClock(),
    logger: silentLogger,
    emit: (event: SttEvent) => void events.push(event),
    redact: (text: string) => text,
    send: () => true,
    succeeded: () => undefined,
    settled: () => undefined,
  };
  const recognizer = new FinalizeRecognizer(host, [], () => 'wss://host');
  for (let chunk = 0; chunk < 5; chunk++) {
    recognizer.received({ type: 'transcript', is_final: true, text: 'x'.repeat(1_000) });
  }
  expect(events.filter(({ type }) => type !== 'partial')).toEqual([{ type: 'final', text: 'x'.repeat(5_000) }]);
  recognizer.received({ type: 'transcript', is_final: false, text: 'next' });
  expect(events.at(-1)).toEqual({ type: 'partial', text: 'next' });
});
