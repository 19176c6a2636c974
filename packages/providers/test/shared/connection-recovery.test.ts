import type { Logger, ProviderFault } from '@va/core/adapter';
import { silentLogger, VirtualClock } from '@va/testkit';
import { describe, expect, it, vi } from 'vitest';
import { ConnectionRecovery } from '../../src/shared/connection/connection-recovery.ts';

function setUp(apiKey = 'secret-key') {
  const clock = new VirtualClock();
  const warnings: unknown[] = [];
  const logger: Logger = { ...silentLogger, warn: (...entry: unknown[]) => void warnings.push(entry) };
  return { clock, warnings, recovery: new ConnectionRecovery({ id: 'mine', apiKey }, { clock, logger }) };
}

const loss = { fault: 'connection', message: 'closed' } as const;

describe('ConnectionRecovery', () => {
  it('reconnects three times in a row, after 200, 400 and 800 ms', async () => {
    const { clock, recovery } = setUp();
    const error = recovery.errorOf(loss);
    for (const delayMs of [200, 400, 800]) {
      const connect = vi.fn();
      expect(recovery.reconnect(error, connect)).toBe(true);
      await clock.advance(delayMs - 1);
      expect(connect).not.toHaveBeenCalled();
      await clock.advance(1);
      expect(connect).toHaveBeenCalledOnce();
    }
    expect(recovery.reconnect(error, () => undefined)).toBe(false);
    expect(clock.pending).toBe(0);
  });

  it('counts from the start again when the service has worked', async () => {
    const { clock, recovery } = setUp();
    const error = recovery.errorOf(loss);
    for (let attempt = 0; attempt < 3; attempt++) recovery.reconnect(error, () => undefined);
    recovery.succeeded();
    const connect = vi.fn();
    expect(recovery.reconnect(error, connect)).toBe(true);
    await clock.advance(200);
    expect(connect).toHaveBeenCalledOnce();
  });

  it('does not connect after cancel', async () => {
    const { clock, recovery } = setUp();
    const connect = vi.fn();
    recovery.reconnect(recovery.errorOf(loss), connect);
    recovery.cancel();
    await clock.advance(1_000);
    expect(connect).not.toHaveBeenCalled();
  });

  it.each<[ProviderFault, boolean]>([
    ['connection', true],
    ['timeout', true],
    ['unavailable', true],
    ['auth', false],
    ['quota', false],
    ['invalid_request', false],
  ])('decides by the fault whether to reconnect: %s', (fault, isRetryable) => {
    const { warnings, recovery } = setUp();
    const error = recovery.errorOf({ fault, message: 'closed' });
    expect(recovery.reconnect(error, () => undefined)).toBe(isRetryable);
    expect(warnings).toHaveLength(isRetryable ? 1 : 0);
  });

  it('reconnects after a permanent error when the caller knows a remedy', () => {
    const { recovery } = setUp();
    const error = recovery.errorOf({ fault: 'invalid_request', message: 'unknown handle' });
    expect(recovery.reconnect(error, () => undefined, true)).toBe(true);
  });

  it('removes every occurrence of the key from errors', () => {
    const { recovery } = setUp();
    const error = recovery.errorOf({ fault: 'auth', message: 'secret-key: invalid key secret-key', status: 401 });
    expect(error).toMatchObject({ provider: 'mine', fault: 'auth', status: 401, retryable: false });
    expect(error.message).not.toContain('secret-key');
    expect(error.message).toContain('[redacted]: invalid key [redacted]');
  });

  it('leaves texts as they are when there is no key', () => {
    expect(setUp('').recovery.redact('any text')).toBe('any text');
  });

  it('removes the key from a logged message before it truncates the message', () => {
    const { warnings, recovery } = setUp();
    recovery.logUnreadable(`${'x'.repeat(195)}secret-key`);
    expect(warnings).toEqual([
      [{ provider: 'mine', text: `${'x'.repeat(195)}[reda` }, 'received an unreadable message'],
    ]);
  });
});
