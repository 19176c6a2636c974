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
  /** Schema of the response body; absent if only the status counts. */
  readonly response?: z.ZodType;
}

const webhooks: Readonly<Record<string, Webhook>> = {
  'assistant-request': {
    summary:
      'An inbound call is ringing. Respond within 5 s with the configuration of the agent that answers it; `{}` ' +
      'keeps the saved one.',
    message: assistantRequestMessageSchema,
    response: assistantAnswerSchema,
  },
  'tool-calls': {
    summary: 'The model calls a tool. Respond within 10 s; the call does not wait for a tool with `async`.',
    message: toolCallsMessageSchema,
    response: toolCallsAnswerSchema,
  },
  'status-update': { summary: 'A call is in progress or has ended.', message: statusUpdateMessageSchema },
  'end-of-call-report': {
    summary: 'A call has ended and was analysed, or 60 s have passed since its end.',
    message: endOfCallReportMessageSchema,
  },
  'campaign-update': { summary: 'The status of a campaign has changed.', message: campaignUpdateMessageSchema },
  test: { summary: 'A test of the server was requested.', message: testMessageSchema },
};

/**
 * Describes the requests that the service sends to the customer's server.
 * @see OpenAPI Specification 3.1.1 §4.8.1 (webhooks)
 */
export function describeWebhooks(schemas: JsonSchemas): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(webhooks).map(([event, { summary, message, response }]) => {
      const body = schemas.write(z.object({ message }), 'output');
      const content = response && { 'application/json': { schema: schemas.write(response, 'input') } };
      const accepted = { description: 'The message was accepted.', ...(content && { content }) };
      return [
        event,
        {
          post: {
            operationId: `on${event.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
            summary,
            requestBody: { required: true, content: { 'application/json': { schema: body } } },
            responses: { '2XX': accepted },
          },
        },
      ];
    }),
  );
}
