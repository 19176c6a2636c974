import { createServer, type IncomingMessage } from 'node:http';
import { verifyWebhookDelivery, WebhookVerificationError } from '@va/webhooks/verify';

const seen = new Set<string>(); // in a database, in the transaction of what the event changes

export const receiver = createServer(async (request, response) => {
  try {
    const { id, message } = verifyWebhookDelivery({
      headers: request.headers,
      body: await bodyOf(request),
      secret: process.env.WEBHOOK_SECRET,
    });
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answerTo(message.type, id)));
  } catch (error) {
    response.writeHead(error instanceof WebhookVerificationError ? 401 : 500).end();
  }
});

function answerTo(type: string, id: string | null): unknown {
  if (type === 'tool-calls') return { result: 'The table is free.' };
  if (id !== null && !seen.has(id)) seen.add(id); // and do what the event asks for: it has not been done
  return {};
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}
