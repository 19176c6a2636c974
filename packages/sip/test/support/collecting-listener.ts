import type { Envelope } from '../../src/message/envelope.ts';
import type { SipMessage } from '../../src/message/message.ts';
import type { Flow } from '../../src/transport/flow.ts';
import type { MessageListener } from '../../src/transport/transport-layer.ts';
import { until } from './until.ts';

export interface CollectedMessage {
  readonly message: SipMessage;
  readonly envelope: Envelope;
  readonly flow: Flow;
}

/** Collects the events of a transport layer. */
export class CollectingListener implements MessageListener {
  readonly messages: CollectedMessage[] = [];
  readonly failures: string[] = [];

  onMessage(message: SipMessage, envelope: Envelope, flow: Flow): void {
    this.messages.push({ message, envelope, flow });
  }

  onFailure(_: Flow, error: Error): void {
    this.failures.push(error.message);
  }

  async next(): Promise<CollectedMessage> {
    await until(() => this.messages.length > 0, 'a message arrives');
    const [first] = this.messages.splice(0, 1);
    if (first === undefined) throw new Error('no event');
    return first;
  }

  async failure(): Promise<string> {
    await until(() => this.failures.length > 0, 'the flow fails');
    return this.failures.splice(0, 1)[0] ?? '';
  }
}
