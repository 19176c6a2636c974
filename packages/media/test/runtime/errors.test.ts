import { describe, expect, it } from 'vitest';
import { toError, VaError } from '../../src/runtime/errors.ts';

class PortError extends VaError {}

describe('VaError', () => {
  it('has the name of its class, a code and the cause', () => {
    const cause = new Error('in use');
    const error = new PortError('rtp_port_unavailable', 'No port is free.', { cause });
    expect(error).toMatchObject({
      name: 'PortError',
      code: 'rtp_port_unavailable',
      message: 'No port is free.',
      cause,
    });
  });
});

describe('toError', () => {
  it('returns errors as they are, and any other value as a message', () => {
    const error = new TypeError('wrong');
    expect(toError(error)).toBe(error);
    expect(toError('text').message).toBe('text');
    expect(toError(undefined).message).toBe('undefined');
    expect(toError({ code: 1 }).message).toBe('[object Object]');
  });
});
