import { afterEach, expect, it, vi } from 'vitest';
import { findProgram } from '../../src/sip-peers/find-program.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

it('finds a program on the path', () => {
  expect(findProgram('sh', 'dash')).toMatch(/\/sh$/);
});

it('finds nothing where a program is missing, so that its tests are skipped', () => {
  vi.stubEnv('CI', '');
  expect(findProgram('no-such-program', 'no-such-package')).toBeNull();
});

it('fails on CI where a program is missing, and names the package', () => {
  vi.stubEnv('CI', '1');
  expect(() => findProgram('no-such-program', 'no-such-package')).toThrow(/no-such-package/);
});
