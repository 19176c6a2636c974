import type { Clock } from '@va/core/adapter';
import type { WebSocket } from 'ws';
import { readFrame, type TwilioFrame } from './frames.ts';

type Start = Extract<TwilioFrame, { event: 'start' }>;

/** Time in which a stream has to start. */
const startMs = 10_000;
/** Messages before the start: Twilio sends `connected` alone. */
const maxMessages = 4;

/** Calls the listener once with the `start` message of a new stream, or with null if it does not come. */
export function awaitStart(socket: WebSocket, clock: Clock, onStart: (start: Start | null) => void): void {
  let messages = 0;
  const settle = (start: Start | null): void => {
    timer.cancel();
    socket.off('message', read);
    socket.off('close', gone);
    if (start === null) socket.terminate();
    onStart(start);
  };
  const read = (data: unknown, isBinary: boolean): void => {
    messages += 1;
    const frame = isBinary ? null : readFrame(String(data));
    if (frame?.event === 'start') settle(frame);
    else if (messages >= maxMessages) settle(null);
  };
  const gone = (): void => settle(null);
  const timer = clock.setTimer(startMs, gone);
  socket.on('message', read);
  socket.on('close', gone);
  // An error is followed by a close.
  socket.on('error', () => {});
}
