import { type ChatDialect, type ChatError, type ChatReply, promptTokens, wordsOf } from './script.ts';

const types: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

/**
 * The Messages API of Anthropic.
 * @see https://docs.anthropic.com/en/api/messages-streaming
 */
export const anthropic: ChatDialect = {
  basePath: '/v1',

  refusalOf({ path, headers, body }) {
    if (path !== '/v1/messages') return invalid('Not found', 404);
    if (headers['anthropic-version'] === undefined) return invalid('anthropic-version: header is required');
    if (headers['x-api-key'] === undefined) return invalid('x-api-key header is required', 401);
    if (typeof body.max_tokens !== 'number') return invalid('max_tokens: Field required');
    return refusalOfMessages(Array.isArray(body.messages) ? body.messages : []);
  },

  errorBody: ({ status, type, message }) => ({
    type: 'error',
    error: { type: type === '' ? (types[status] ?? 'api_error') : type, message },
    request_id: 'req_1',
  }),

  eventsOf(reply, { body }) {
    const { text, toolCalls = [], cachedTokens = 0 } = reply;
    const usage = {
      // The tokens of the cache are counted separately.
      input_tokens: promptTokens - cachedTokens,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: cachedTokens,
      output_tokens: 1,
    };
    const message = { id: 'msg_1', type: 'message', role: 'assistant', model: body.model, content: [] };
    const start = { type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null, usage } };
    const isText = text !== undefined && text !== '';
    const firstCall = isText ? 1 : 0;
    const words = isText ? [blockStart(0, { type: 'text', text: '' }), ...wordsOf(text).map(textDelta), stop(0)] : [];
    const calls = toolCalls.flatMap((call, at) => toolEvents(firstCall + at, call));
    const stopReason = toolCalls.length > 0 ? 'tool_use' : 'end_turn';
    return {
      opening: [start, { type: 'ping' }, ...words.slice(0, 1)],
      content: [...words.slice(1), ...calls],
      ending: [
        {
          type: 'message_delta',
          delta: { stop_reason: stopReason, stop_sequence: null },
          usage: { output_tokens: wordsOf(text).length + 10 * toolCalls.length },
        },
        { type: 'message_stop' },
      ],
    };
  },
};

/**
 * Returns the error for messages that Anthropic refuses, or null. The first and the last message must be of the user,
 * and the result of each tool call must be in the next message.
 */
function refusalOfMessages(messages: readonly Record<string, unknown>[]): ChatError | null {
  if (messages.length === 0) return invalid('messages: at least one message is required');
  if (messages[0]?.role !== 'user') return invalid('messages: first message must use the "user" role');
  if (messages.at(-1)?.role !== 'user') {
    return invalid(
      'This model does not support assistant message prefill. The conversation must end with a user message.',
    );
  }
  for (const [at, message] of messages.entries()) {
    const blocks = blocksOf(message);
    if (blocks.some(({ type, text }) => type === 'text' && text === '')) {
      return invalid('messages: text content blocks must be non-empty');
    }
    const results = blocksOf(messages[at + 1]).map(({ tool_use_id: id }) => id);
    const unanswered = blocks.find(({ type, id }) => type === 'tool_use' && !results.includes(id));
    if (unanswered !== undefined) {
      return invalid(`messages.${at}: tool_use ids were found without tool_result blocks: ${String(unanswered.id)}`);
    }
  }
  return null;
}

function blocksOf(message: Record<string, unknown> | undefined): Record<string, unknown>[] {
  return Array.isArray(message?.content) ? message.content : [];
}

function invalid(message: string, status = 400): ChatError {
  return { status, type: types[status] ?? 'api_error', message };
}

function blockStart(index: number, block: object): object {
  return { type: 'content_block_start', index, content_block: block };
}

function textDelta(text: string): object {
  return { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } };
}

function stop(index: number): object {
  return { type: 'content_block_stop', index };
}

function toolEvents(index: number, { id, name, input }: NonNullable<ChatReply['toolCalls']>[number]): object[] {
  const json = JSON.stringify(input);
  const middle = Math.ceil(json.length / 2);
  const deltas = ['', json.slice(0, middle), json.slice(middle)].map((partial_json) => ({
    type: 'content_block_delta',
    index,
    delta: { type: 'input_json_delta', partial_json },
  }));
  return [blockStart(index, { type: 'tool_use', id, name, input: {} }), ...deltas, stop(index)];
}
