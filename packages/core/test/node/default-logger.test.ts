import { describe, expect, it } from 'vitest';
import { defaultLogger } from '../../src/node/default-logger.ts';

function logged(fields: Record<string, unknown>, bindings: Record<string, unknown> = {}): string {
  let written = '';
  const logger = defaultLogger({
    write: (line) => {
      written += line;
    },
  });
  logger.child(bindings).info(fields, 'something happened');
  return written;
}

const secret = 'sk-live-4f1d';

describe('the default logger', () => {
  it.each([
    'auth_password',
    'api_key',
    'apiKey',
    'authorization',
    'Authorization',
    'webhook_secret',
    'secret',
    'password',
    'token',
    'xi-api-key',
  ])('redacts %s at any depth', (field) => {
    for (const fields of [
      { [field]: secret },
      { request: { [field]: secret } },
      { request: { headers: { [field]: secret } } },
      { err: { cause: { request: { [field]: secret } } } },
    ]) {
      const line = logged(fields);
      expect(line).not.toContain(secret);
      expect(line).toContain('[redacted]');
    }
    expect(logged({}, { [field]: secret })).not.toContain(secret);
  });

  it('redacts the fields of an error and of its cause', () => {
    const cause = Object.assign(new Error('refused'), { headers: { authorization: secret } });
    const err = Object.assign(new Error('failed', { cause }), { api_key: secret });
    const line = logged({ err });
    expect(line).not.toContain(secret);
    expect(line).toContain('failed');
  });

  it('leaves other fields unchanged', () => {
    const fields = { call: 'c-1', secret_id: 's-1', byok_keys: { openai_secret_id: 's-2' }, tokens: 3 };
    expect(JSON.parse(logged(fields))).toMatchObject({ ...fields, name: 'va', msg: 'something happened' });
  });
});
