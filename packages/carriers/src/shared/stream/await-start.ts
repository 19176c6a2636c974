import type { Clock } from '@va/core/adapter';
import type { WebSocket } from 'ws';
import { type JsonFields, parsed } from '../web/fields.ts';

/** Timeout for the start message of a stream. */
const startMs = 10_000;
/** Maximum number of messages before the start message. Carriers send at most one. */
const maxMessages = 4;

/** Calls the listener once, with the start message of a new stream or with null if there is none. */
export function awaitStart<T>(
  socket: WebSocket,
  { clock, read }: { clock: Clock; read: (message: JsonFields) => T | null },
  onStart: (start: T | null) => void,
): void {
  let messages = 0;
  const settle = (start: T | null): void => {
    timer.cancel();
    socket.off('message', receive);
    socket.off('close', gone);
    if (start === null) socket.terminate();
    onStart(start);
  };
  const receive = (data: unknown, isBinary: boolean): void => {
    messages += 1;
    const message = isBinary ? null : parsed(String(data));
    const start = message === null ? null : read(message);
    if (start !== null) settle(start);
    else if (messages >= maxMessages) settle(null);
  };
  const gone = (): void => settle(null);
  const timer = clock.setTimer(startMs, gone);
  socket.on('message', receive);
  socket.on('close', gone);
  // An error is followed by `close`.
  socket.on('error', () => {});
}
