import type { SttEvent, SttStream } from '@va/core/adapter';

/** Collects the events of a recognizer. `failure` resolves when it ends: to its error, or to undefined. */
export function heardBy(stream: SttStream): { readonly events: SttEvent[]; readonly failure: Promise<unknown> } {
  const events: SttEvent[] = [];
  const read = async (): Promise<void> => {
    for await (const event of stream) events.push(event);
  };
  const failure = read().then(
    () => undefined,
    (error: unknown) => error,
  );
  return { events, failure };
}

/** Sends 20 ms frames of 8 kHz μ-law that repeat a code; by default one of a sound. */
export function speak(stream: SttStream, frames: number, code = 0x55): void {
  for (let at = 0; at < frames; at++) stream.send(new Uint8Array(160).fill(code));
}

/** Formats each event as its type, with its text if it has one. */
export function named(events: readonly SttEvent[]): string[] {
  return events.map((event) => ('text' in event ? `${event.type} ${event.text}` : event.type));
}

export function count(events: readonly SttEvent[], type: SttEvent['type']): number {
  return events.filter((event) => event.type === type).length;
}
