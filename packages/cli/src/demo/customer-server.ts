import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifyWebhook, type WebhookEventMessage, WebhookVerificationError } from '@va/webhooks/verify';
import { tableFor } from './restaurant.ts';

export interface ReceivedWebhook {
  readonly message: WebhookEventMessage;
  readonly answer: unknown;
  /** Signature header of the request, after verification. */
  readonly signature: string;
}

export interface DemoCustomerServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts the customer's server. It verifies webhooks, answers tool calls, and passes all messages to `onWebhook`. */
export async function startCustomerServer(options: {
  readonly secret: () => string;
  readonly onWebhook: (received: ReceivedWebhook) => void;
}): Promise<DemoCustomerServer> {
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      try {
        const message = verifyWebhook({ headers: request.headers, body, secret: options.secret() });
        const answer = answerTo(message);
        options.onWebhook({ message, answer, signature: String(request.headers['webhook-signature']) });
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
      } catch (error) {
        if (!(error instanceof WebhookVerificationError)) throw error;
        response.writeHead(401).end(error.code);
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/webhook`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function answerTo(message: WebhookEventMessage): unknown {
  if (message.type !== 'tool-calls') return {};
  const calls = message.toolCallList;
  return { results: calls.map((call) => ({ toolCallId: call.id, result: tableFor(call.function.arguments) })) };
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
