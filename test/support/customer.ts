import type { ServerResponse } from 'node:http';
import { verifyWebhook, type WebhookEventMessage, WebhookVerificationError } from '@va/webhooks/verify';
import { answerJson, startCustomerServer } from '../../packages/webhooks/test/support/customer-server.ts';

export type AnswerTool = (response: ServerResponse, message: WebhookEventMessage) => void;

/** The webhook server of a customer: a real HTTP server that verifies signatures. */
export interface Customer {
  readonly url: string;
  /** Returns the messages of one type with a valid signature. */
  of(type: string): WebhookEventMessage[];
  close(): Promise<void>;
}

/** Passes tool calls to `answerTool` and responds to everything else with `{}`. */
export async function startCustomer(secret: () => string, answerTool: AnswerTool): Promise<Customer> {
  const messages: WebhookEventMessage[] = [];
  const server = await startCustomerServer((response, { headers, body }) => {
    try {
      const message = verifyWebhook({ headers, body, secret: secret() });
      messages.push(message);
      if (message.type === 'tool-calls') answerTool(response, message);
      else answerJson(response, {});
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      answerJson(response, { code: error.code }, 401);
    }
  });
  return {
    url: server.url,
    of: (type) => messages.filter((message) => message.type === type),
    close: () => server.close(),
  };
}

/** Responds to each tool call with the same result. */
export function toolResult(result: unknown): AnswerTool {
  return (response, message) => {
    const calls = message.toolCallList as { id: string }[];
    answerJson(response, { results: calls.map(({ id }) => ({ toolCallId: id, result })) });
  };
}
