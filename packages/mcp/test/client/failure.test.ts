import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { RefusedTarget, ToolServerError } from '@va/core/adapter';
import { describe, expect, it } from 'vitest';
import { isUnknownSession, toolServerError } from '../../src/client/failure.ts';

const refused = new RefusedTarget('The address is not allowed.');

describe('toolServerError', () => {
  it.each<[string, unknown, string, string]>([
    ['a forbidden address', refused, 'tool_server_refused', 'The address is not allowed.'],
    [
      'a failed fetch',
      new TypeError('fetch failed', { cause: refused }),
      'tool_server_refused',
      'The address is not allowed.',
    ],
    ['an HTTP status', new StreamableHTTPError(401, 'secret'), 'tool_server_refused', 'The MCP server answered 401.'],
    [
      'a timeout',
      new McpError(ErrorCode.RequestTimeout, 'x'),
      'tool_server_timeout',
      'The MCP server did not answer in time.',
    ],
    [
      'a closed connection',
      new McpError(ErrorCode.ConnectionClosed, 'x'),
      'tool_server_unreachable',
      'The MCP server cannot be reached.',
    ],
    [
      'no HTTP response',
      new StreamableHTTPError(-1, 'x'),
      'tool_server_unreachable',
      'The MCP server cannot be reached.',
    ],
    ['any other error', new Error('10.0.0.1:80'), 'tool_server_unreachable', 'The MCP server cannot be reached.'],
    ['a thrown text', '10.0.0.1:80', 'tool_server_unreachable', 'The MCP server cannot be reached.'],
  ])('converts %s', (_, thrown, code, message) => {
    expect(toolServerError(thrown)).toMatchObject({ code, message, cause: thrown });
  });

  it('keeps at most 500 characters of an error of the protocol', () => {
    const error = toolServerError(new McpError(ErrorCode.InvalidParams, 'x'.repeat(1_000)));
    expect(error.code).toBe('tool_server_protocol');
    expect(error.message).toHaveLength(500);
  });

  it('returns its own errors unchanged', () => {
    const error = new ToolServerError('unknown', 'There is none.');
    expect(toolServerError(error)).toBe(error);
  });
});

describe('isUnknownSession', () => {
  it.each<[string, unknown, boolean]>([
    ['404', new StreamableHTTPError(404, 'x'), true],
    ['another status', new StreamableHTTPError(400, 'x'), false],
    ['another error', new Error('404'), false],
  ])('decides for %s', (_, thrown, expected) => {
    expect(isUnknownSession(thrown)).toBe(expected);
  });
});
