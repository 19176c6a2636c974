import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { RefusedTarget, ToolServerError, toError } from '@va/core/adapter';

const maxMessageLength = 500;

/** Converts an error to one for the customer, which reveals nothing about the service's network. */
export function toolServerError(thrown: unknown): ToolServerError {
  if (thrown instanceof ToolServerError) return thrown;
  const error = toError(thrown);
  const refusal = [error, error.cause].find((each) => each instanceof RefusedTarget);
  if (refusal !== undefined) return new ToolServerError('refused', refusal.message, { cause: thrown });
  if (thrown instanceof StreamableHTTPError && thrown.code !== undefined && thrown.code > 0) {
    return new ToolServerError('refused', `The MCP server answered ${thrown.code}.`, { cause: thrown });
  }
  if (thrown instanceof McpError) {
    if (thrown.code === ErrorCode.RequestTimeout) {
      return new ToolServerError('timeout', 'The MCP server did not answer in time.', { cause: thrown });
    }
    if (thrown.code !== ErrorCode.ConnectionClosed) {
      return new ToolServerError('protocol', thrown.message.slice(0, maxMessageLength), { cause: thrown });
    }
  }
  return new ToolServerError('unreachable', 'The MCP server cannot be reached.', { cause: thrown });
}

/**
 * Returns true if the server rejected a request, without executing it, because it no longer knows the session.
 * @see MCP 2025-11-25, Session management
 */
export function isUnknownSession(thrown: unknown): boolean {
  return thrown instanceof StreamableHTTPError && thrown.code === 404;
}
