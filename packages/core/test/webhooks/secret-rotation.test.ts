import { VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { rotated, secretInGrace } from '../../src/webhooks/secret-rotation.ts';

const clock = new VirtualClock(new Date('2026-01-01T09:00:00.000Z'));
const expiresAt = '2026-01-02T09:00:00.000Z';
const noOverlap = { webhook_previous_secret: null, webhook_previous_secret_expires_at: null };

describe('rotated', () => {
  it('keeps the replaced secret for a day', () => {
    expect(rotated({ webhook_secret: 'new' }, { webhook_secret: 'old' }, clock)).toEqual({
      webhook_previous_secret: 'old',
      webhook_previous_secret_expires_at: expiresAt,
    });
  });

  it.each([
    ['is not written', {}],
    ['is written again', { webhook_secret: 'old' }],
  ])('changes nothing if the secret %s', (_case, written) => {
    expect(rotated(written, { webhook_secret: 'old' }, clock)).toEqual({});
  });

  it.each([
    ['there was none', 'new', null],
    ['there is none from now on', null, 'old'],
  ])('ends the overlap if %s', (_case, secret, previous) => {
    expect(rotated({ webhook_secret: secret }, { webhook_secret: previous }, clock)).toEqual(noOverlap);
  });
});

describe('secretInGrace', () => {
  const owner = { webhook_previous_secret: 'old', webhook_previous_secret_expires_at: expiresAt };

  it.each([
    ['2026-01-02T08:59:59.999Z', 'old'],
    ['2026-01-02T09:00:00.000Z', null],
  ])('is at %s: %s', (now, secret) => {
    expect(secretInGrace(owner, now)).toBe(secret);
  });

  it('is null without a previous secret', () => {
    expect(secretInGrace(noOverlap, '2026-01-01T09:00:00.000Z')).toBeNull();
  });
});
