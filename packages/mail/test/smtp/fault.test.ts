import { describe, expect, it } from 'vitest';
import { toProviderError } from '../../src/smtp/fault.ts';

const failed = (fields: Record<string, unknown>): Error => Object.assign(new Error('It failed.'), fields);

describe('toProviderError of smtp', () => {
  it.each([
    [{ code: 'EAUTH' }, 'auth'],
    [{ code: 'EAUTH', responseCode: 535 }, 'auth'],
    [{ code: 'EAUTH', responseCode: 454 }, 'unavailable'],
    [{ code: 'EENVELOPE', responseCode: 550 }, 'invalid_request'],
    [{ code: 'EMESSAGE', responseCode: 552 }, 'invalid_request'],
    [{ code: 'EENVELOPE', responseCode: 451 }, 'unavailable'],
    [{ code: 'ECONNECTION', responseCode: 421 }, 'unavailable'],
    [{ code: 'ETIMEDOUT' }, 'timeout'],
    [{ code: 'ECONNECTION' }, 'connection'],
    [{ code: 'EDNS' }, 'connection'],
    [{ code: 'ETLS' }, 'connection'],
    [{ code: 'EUNKNOWN' }, 'protocol'],
    [{ code: 'constructor' }, 'protocol'],
    [{ code: 7 }, 'protocol'],
    [{ responseCode: '550' }, 'protocol'],
    [{}, 'protocol'],
  ])('maps %j to %s', (fields, fault) => {
    expect(toProviderError(failed(fields)).fault).toBe(fault);
  });

  it('keeps the reply, the message and the cause', () => {
    const cause = failed({ code: 'EENVELOPE', responseCode: 550 });
    const error = toProviderError(cause);
    expect(error).toMatchObject({ status: 550, cause });
    expect(error.message).toContain('It failed.');
    expect(toProviderError(failed({ code: 'EDNS' })).status ?? null).toBeNull();
  });

  it('returns a protocol error for a thrown text', () => {
    expect(toProviderError('no route')).toMatchObject({
      fault: 'protocol',
      message: expect.stringContaining('no route'),
    });
  });
});
