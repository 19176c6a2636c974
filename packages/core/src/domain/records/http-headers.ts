import { z } from 'zod';

/** Headers that the service sets itself, for the connection or for the protocol above it. */
const reserved = new Set([
  ...[
    'accept',
    'accept-encoding',
    'connection',
    'content-encoding',
    'content-length',
    'content-type',
    'cookie',
    'date',
  ],
  ...['expect', 'host', 'http2-settings', 'keep-alive', 'origin', 'proxy-authorization', 'proxy-connection', 'te'],
  ...['trailer', 'transfer-encoding', 'upgrade', 'via', 'last-event-id'],
]);

const maxHeaders = 20;

/**
 * Headers that a customer adds to the requests to its own server, such as `Authorization`. Their values are secrets.
 * @see RFC 9110 §5.1 and §5.5
 */
export const httpHeadersSchema = z
  .record(
    z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, 'expected the name of an HTTP header'),
    z
      .string()
      .max(4_000)
      .regex(/^[\x20-\x7e]*$/, 'expected printable ASCII characters'),
  )
  .superRefine((headers, context) => {
    const names = Object.keys(headers);
    if (names.length > maxHeaders) context.addIssue({ code: 'custom', message: `at most ${maxHeaders} headers` });
    const seen = new Set<string>();
    for (const name of names) {
      const lower = name.toLowerCase();
      const isReserved = reserved.has(lower) || lower.startsWith('mcp-') || lower.startsWith('proxy-');
      if (isReserved) context.addIssue({ code: 'custom', path: [name], message: 'is set by the service' });
      if (seen.has(lower)) context.addIssue({ code: 'custom', path: [name], message: 'is given twice' });
      seen.add(lower);
    }
  });
