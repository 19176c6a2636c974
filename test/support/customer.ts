import type { ServerResponse } from 'node:http';
import { verifyWebhook, type WebhookEventMessage, WebhookVerificationError } from '@va/webhooks/verify';
import { answerJson, startCustomerServer } from '../../packages/webhooks/test/support/customer-server.ts';

export type AnswerTool = (response: ServerResponse, message: WebhookEventMessage) => void;

/** The customer's side of the webhooks: a real HTTP server that takes only what its secret vouches for. */
export interface Customer {
  readonly url: string;
  /** What came with a good signature, of one type. */
  of(type: string): WebhookEventMessage[];
  close(): Promise<void>;
}

/** Gives tool calls to `answerTool`, and answers everything else with `{}`. */
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

/** Answers each call of a tool with the same result. */
export function toolResult(result: unknown): AnswerTool {
  return (response, message) => {
    const calls = message.toolCallList as { id: string }[];
    answerJson(response, { results: calls.map(({ id }) => ({ toolCallId: id, result })) });
  };
}
