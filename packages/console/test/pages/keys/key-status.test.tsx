// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { KeyStatus } from '../../../src/app/pages/keys/key-status.tsx';
import { show } from '../../support/show.tsx';

const now = '2026-03-01T12:00:00.000Z';
beforeEach(() => void vi.useFakeTimers({ now: Date.parse(now), toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

describe('the status of a key', () => {
  it.each([
    ['without an end', null, null, 'Valid'],
    ['that ends later', null, '2026-03-01T12:00:00.001Z', 'Valid'],
    ['that ends now', null, now, 'Valid'],
    ['that has ended', null, '2026-03-01T11:59:59.999Z', 'Expired'],
    ['that has ended in another time zone', null, '2026-03-01T12:30:00+01:00', 'Expired'],
    ['that was revoked', now, null, 'Revoked'],
    ['that was revoked before its end', now, '2020-01-01T00:00:00.000Z', 'Revoked'],
  ])('of a key %s is shown', (_, revoked_at, expires_at, words) => {
    expect(show(<KeyStatus of={{ revoked_at, expires_at }} />).element.textContent).toBe(words);
  });
});
