import type { Clock } from '@va/core/adapter';
import { protocolVersion, type UpMessage } from '../protocol/messages.ts';
import type { PageConnection } from './page-connection.ts';

/** Timeout for the first message. */
const helloMs = 5_000;

export type Hello = Extract<UpMessage, { type: 'hello' }>;
export type FirstMessage = Hello | Extract<UpMessage, { type: 'resume' }>;

/**
 * Calls the listener once, with the first message of a connection, or with null if the connection is refused or closed.
 */
export function firstMessage(
  connection: PageConnection,
  clock: Clock,
  listener: (message: FirstMessage | null) => void,
): void {
  const settle = (message: FirstMessage | null): void => {
    timer.cancel();
    connection.listen(null);
    listener(message);
  };
  const timer = clock.setTimer(helloMs, () => {
    settle(null);
    connection.fail('hello_timeout', `No hello came within ${helloMs} ms.`);
  });
  const refuse = (code: 'invalid_message' | 'unsupported_version', text: string): void => {
    settle(null);
    connection.fail(code, text);
  };
  connection.listen({
    onAudio: () => refuse('invalid_message', 'The first message is hello or resume.'),
    onMessage: (message) => {
      if (message.type !== 'hello' && message.type !== 'resume') {
        refuse('invalid_message', 'The first message is hello or resume.');
      } else if (message.version !== protocolVersion) {
        refuse('unsupported_version', `The service speaks version ${protocolVersion} of the protocol.`);
      } else settle(message);
    },
    onClose: () => settle(null),
  });
}
