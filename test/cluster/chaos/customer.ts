import { createServer, type Server } from 'node:http';
import { verifyWebhook, type WebhookEventMessage } from '@va/webhooks/verify';

interface Received {
  readonly webhookId: string;
  readonly message: WebhookEventMessage;
  /** True if the webhook got a successful response. */
  readonly accepted: boolean;
}

/** An unreliable webhook server: each webhook may fail, stall or be answered late at its first attempt. */
export class Customer {
  readonly received: Received[] = [];
  /** Set before the first webhook. */
  secret = '';
  readonly #server: Server;
  readonly #faults = new Set<string>();

  private constructor(random: () => number) {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString();
        const message = verifyWebhook({ headers: request.headers, body, secret: this.secret });
        const webhookId = String(request.headers['webhook-id']);
        const mood = this.#faults.has(webhookId) ? 1 : random();
        this.#faults.add(webhookId);
        if (mood < 0.08) {
          this.received.push({ webhookId, message, accepted: false });
          response.writeHead(503).end();
        } else if (mood < 0.1) {
          // Never responds, so that the sender times out.
          this.received.push({ webhookId, message, accepted: false });
        } else {
          const answer = (): void => {
            this.received.push({ webhookId, message, accepted: true });
            response.end('{}');
          };
          if (mood < 0.2) setTimeout(answer, 500 + 2_000 * random());
          else answer();
        }
      });
    });
  }

  static async start(random: () => number): Promise<Customer> {
    const customer = new Customer(random);
    await new Promise<void>((resolve) => customer.#server.listen(0, '127.0.0.1', resolve));
    return customer;
  }

  get url(): string {
    const address = this.#server.address();
    if (typeof address !== 'object' || address === null) throw new Error('the server has no port');
    return `http://127.0.0.1:${address.port}/`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
