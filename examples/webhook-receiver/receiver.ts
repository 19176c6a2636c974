import type { AssistantRequestAnswer, ToolCallsAnswer, ToolCallsMessage } from '@va/webhooks/messages';
import { verifyWebhookDelivery, WebhookVerificationError } from '@va/webhooks/verify';
import express, { type Express } from 'express';

/** Receives the webhooks of an agent. `log` gets one line for each status update and report. */
export function createReceiver(secret: string, log: (line: string) => void): Express {
  const seen = new Set<string>(); // in a database, in the transaction of what the event changes
  const app = express();

  // The signature covers the body byte for byte: no JSON parser may run before the check.
  app.post('/hook', express.raw({ type: '*/*', limit: '1mb' }), (request, response) => {
    try {
      const { id, message } = verifyWebhookDelivery({ headers: request.headers, body: request.body as Buffer, secret });
      switch (message.type) {
        case 'assistant-request':
          response.json({ assistant: { firstMessage: 'Good evening.' } } satisfies AssistantRequestAnswer);
          return;
        case 'tool-calls':
          response.json(resultsOf(message));
          return;
        case 'end-of-call-report':
          if (isNew(id)) log(`${message.call.id}: ${message.summary ?? 'no summary'}`);
          break;
        case 'status-update':
          if (isNew(id)) log(`${message.call.id}: ${message.call.status}`);
          break;
      }
      response.json({});
    } catch (error) {
      response.status(error instanceof WebhookVerificationError ? 401 : 500).end();
    }
  });

  /** A message is sent again if its response was lost. */
  function isNew(id: string | null): boolean {
    if (id === null || seen.has(id)) return false;
    seen.add(id);
    return true;
  }

  return app;
}

function resultsOf({ toolCallList }: ToolCallsMessage): ToolCallsAnswer {
  return {
    results: toolCallList.map(({ id, function: { name, arguments: args } }) =>
      name === 'find_table'
        ? { toolCallId: id, result: `A table for ${args.people} is free.` }
        : { toolCallId: id, error: `There is no tool ${name}.` },
    ),
  };
}
