import { afterEach, expect, it, vi } from 'vitest';
import { findProgram } from '../../src/sip-peers/find-program.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

it('findProgram finds a program on the path', () => {
  expect(findProgram('sh', 'dash')).toMatch(/\/sh$/);
});

it('findProgram returns null for a missing program, so that its tests are skipped', () => {
  vi.stubEnv('CI', '');
  expect(findProgram('no-such-program', 'no-such-package')).toBeNull();
});

it('findProgram throws on CI for a missing program, and names its package', () => {
  vi.stubEnv('CI', '1');
  expect(() => findProgram('no-such-program', 'no-such-package')).toThrow(/no-such-package/);
});
