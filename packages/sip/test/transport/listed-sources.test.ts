import { describe, expect, it } from 'vitest';
import { ListedSources } from '../../src/transport/listed-sources.ts';

describe('ListedSources', () => {
  it('contains the addresses and blocks of the list, also when it is asked again', () => {
    const listed = new ListedSources(['192.0.2.7', '198.51.100.0/24', '2001:db8::/32']);
    for (let time = 0; time < 2; time += 1) {
      expect(listed.has('192.0.2.7')).toBe(true);
      expect(listed.has('192.0.2.8')).toBe(false);
      expect(listed.has('198.51.100.200')).toBe(true);
      expect(listed.has('2001:db8:1::1')).toBe(true);
      expect(listed.has('2001:db9::1')).toBe(false);
    }
  });

  it('contains nothing when the list is empty', () => {
    expect(new ListedSources([]).has('192.0.2.7')).toBe(false);
  });

  it('answers correctly for more addresses than it caches', () => {
    const listed = new ListedSources(['10.0.0.0/16']);
    for (let n = 0; n < 3_000; n += 1) expect(listed.has(`10.${n % 2}.${n >> 8}.${n & 255}`)).toBe(n % 2 === 0);
    expect(listed.has('10.0.0.0')).toBe(true);
  });

  it.each(['host.example', '192.0.2.0/33', '192.0.2.0/24/1'])('rejects the entry %s', (entry) => {
    expect(() => new ListedSources([entry])).toThrowError(expect.objectContaining({ code: 'sip_source_guard' }));
  });
});
