import type { IncomingCall } from '../../ports/telephony.ts';
import type { Line } from '../call-origin.ts';

/** Returns the line of a call that came in. */
export function incomingLine(incoming: IncomingCall): Line {
  return {
    ...(incoming.format !== undefined && { format: incoming.format }),
    connect: () => incoming.answer(),
    reject: (cause) => incoming.reject(cause),
    hangup: () => incoming.hangup(),
    onEnd: (listener) => incoming.onEnd(listener),
  };
}
