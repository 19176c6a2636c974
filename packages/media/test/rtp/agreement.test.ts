import { describe, expect, it } from 'vitest';
import { receives, sends } from '../../src/rtp/agreement.ts';

describe('a direction', () => {
  it.each([
    ['sendrecv', true, true],
    ['sendonly', true, false],
    ['recvonly', false, true],
    ['inactive', false, false],
  ] as const)('%s sends: %s, receives: %s', (direction, isSending, isReceiving) => {
    expect([sends(direction), receives(direction)]).toEqual([isSending, isReceiving]);
  });
});
