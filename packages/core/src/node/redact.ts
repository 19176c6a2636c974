/** Names of fields that hold secrets: in records, provider requests and headers. */
export const secretFields: readonly string[] = [
  'api_key',
  'apiKey',
  'auth_password',
  'authorization',
  'Authorization',
  'client_secret',
  'connectionString',
  'cookie',
  'password',
  'secret',
  'token',
  'webhook_secret',
  'webhookSecret',
  'xi-api-key',
];

export const redaction = '[redacted]';

const names: ReadonlySet<string> = new Set(secretFields);
/** Maximum depth: more than anything logged on purpose. Also ends circular references. */
const maxDepth = 6;

/**
 * Returns the value with its secret fields replaced by `[redacted]`, up to six levels deep. Returns the same object if
 * it has none, so that most log lines need no copy.
 */
export function redact<T>(value: T): T;
export function redact(value: unknown): unknown {
  return walk(value, 0);
}

function walk(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth === maxDepth || speaksForItself(value)) return value;
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => walk(item, depth + 1));
    return items.some((item, at) => item !== value[at]) ? items : value;
  }
  let changed: Record<string, unknown> | undefined;
  for (const [key, inner] of Object.entries(value)) {
    const shown = names.has(key) && inner !== null && inner !== undefined ? redaction : walk(inner, depth + 1);
    if (shown === inner) continue;
    changed ??= { ...value };
    changed[key] = shown;
  }
  return changed ?? value;
}

/** Returns true for values left as they are: errors have their own serializer, a Date or Buffer has no such fields. */
function speaksForItself(value: object): boolean {
  return (
    value instanceof Error || ArrayBuffer.isView(value) || ('toJSON' in value && typeof value.toJSON === 'function')
  );
}
