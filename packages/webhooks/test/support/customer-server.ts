import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';

export interface ReceivedWebhook {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface CustomerServer {
  readonly url: string;
  readonly received: ReceivedWebhook[];
  close(): Promise<void>;
}

/** Starts a customer's server that calls `answer` for each webhook, in the order of arrival. */
export async function startCustomerServer(
  answer: (response: ServerResponse, webhook: ReceivedWebhook, index: number) => void,
): Promise<CustomerServer> {
  const received: ReceivedWebhook[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const webhook = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() };
      answer(response, webhook, received.push(webhook) - 1);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('A listening server has a port.');
  return {
    url: `http://127.0.0.1:${address.port}/hook`,
    received,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function answerJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
