import {
  assistantAnswerSchema,
  assistantRequestMessageSchema,
  campaignUpdateMessageSchema,
  endOfCallReportMessageSchema,
  statusUpdateMessageSchema,
  testMessageSchema,
  toolCallsAnswerSchema,
  toolCallsMessageSchema,
} from '@va/core';
import { z } from 'zod';
import type { JsonSchema, JsonSchemas } from './json-schemas.ts';

interface Webhook {
  readonly summary: string;
  readonly message: z.ZodType;
  /** What the body of the answer is read as; absent where only its status counts. */
  readonly answer?: z.ZodType;
}

const webhooks: Readonly<Record<string, Webhook>> = {
  'assistant-request': {
    summary: 'An inbound call rings. Answer within 5 s with the configuration that takes it; `{}` keeps the saved one.',
    message: assistantRequestMessageSchema,
    answer: assistantAnswerSchema,
  },
  'tool-calls': {
    summary: 'The model runs a tool. Answer within 10 s; a tool with `async` is not waited for.',
    message: toolCallsMessageSchema,
    answer: toolCallsAnswerSchema,
  },
  'status-update': { summary: 'A call is in progress, or over.', message: statusUpdateMessageSchema },
  'end-of-call-report': {
    summary: 'A call is over and was analysed, or 60 s have passed since its end.',
    message: endOfCallReportMessageSchema,
  },
  'campaign-update': { summary: 'The status of a campaign has changed.', message: campaignUpdateMessageSchema },
  test: { summary: 'Somebody asked for a test of the server.', message: testMessageSchema },
};

/**
 * Describes the requests that the service sends to the customer's server.
 * @see OpenAPI Specification 3.1.1 §4.8.1 (webhooks)
 */
export function describeWebhooks(schemas: JsonSchemas): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(webhooks).map(([event, { summary, message, answer }]) => {
      const body = schemas.write(z.object({ message }), 'output');
      const content = answer && { 'application/json': { schema: schemas.write(answer, 'input') } };
      const answered = { description: 'The message was taken.', ...(content && { content }) };
      return [
        event,
        {
          post: {
            operationId: `on${event.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
            summary,
            requestBody: { required: true, content: { 'application/json': { schema: body } } },
            responses: { '2XX': answered },
          },
        },
      ];
    }),
  );
}
