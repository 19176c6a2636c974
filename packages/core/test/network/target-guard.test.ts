import { VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { createAddressPolicy } from '../../src/network/address-policy.ts';
import { HostResolver } from '../../src/network/host-resolver.ts';
import { askWith, checkLiteral, RefusedTarget, TargetGuard } from '../../src/network/target-guard.ts';

const publicAddress = { address: '93.184.216.34', family: 4 };
const privateAddress = { address: '10.0.0.1', family: 4 };
const names: Readonly<Record<string, { address: string; family: number }[]>> = {
  'public.example': [publicAddress, { address: '2606:4700:4700::1111', family: 6 }],
  'private.example': [privateAddress],
  'mixed.example': [publicAddress, privateAddress],
  'pbx.internal': [privateAddress],
};

/** A guard that allows the public internet and `pbx.internal`; `asked` collects the looked-up names. */
function guard(asked: string[] = []): TargetGuard {
  const clock = new VirtualClock();
  const ask = askWith((name, _options, callback) => {
    asked.push(name);
    const found = names[name];
    if (found === undefined) callback(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }), []);
    else callback(null, found);
  });
  const addresses = createAddressPolicy({ allowed: ['pbx.internal'] });
  return new TargetGuard({ clock, addresses, resolver: new HostResolver({ clock, ask }) });
}

interface Found {
  readonly error: unknown;
  readonly address: unknown;
  readonly family: number | undefined;
}

/** Looks a name up as `net.connect` does. */
function lookup(of: TargetGuard['lookup'], name: string, all: boolean): Promise<Found> {
  return new Promise((resolve) => {
    of(name, { all }, (error, address, family) => resolve({ error, address, family }));
  });
}

describe('the check of a target', () => {
  it.each([
    'https://public.example/hook',
    'http://public.example:8080',
    'https://93.184.216.34/',
    'https://[2606:4700:4700::1111]/',
    'https://pbx.internal/',
  ])('accepts %s', async (url) => {
    await expect(guard().check(new URL(url), 'org-1')).resolves.toBeUndefined();
  });

  it.each([
    ['a private address', 'https://10.0.0.1/'],
    ['a private address in another spelling', 'https://0x7f.1/'],
    ['a loopback address of IPv6', 'https://[::1]/'],
    ['a mapped address', 'https://[::ffff:10.0.0.1]/'],
    ['the metadata of a cloud', 'http://169.254.169.254/latest'],
    ['a name with a private address', 'https://private.example/'],
    ['a name with a private address among public ones', 'https://mixed.example/'],
  ])('refuses %s', async (_case, url) => {
    const refused = await guard()
      .check(new URL(url), 'org-1')
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(RefusedTarget);
    expect(refused).toMatchObject({ code: 'refused_target' });
  });

  it('does not reveal the address that a name has', async () => {
    const { message } = await guard()
      .check(new URL('https://private.example/'), 'org-1')
      .then(
        () => new Error('accepted'),
        (error: Error) => error,
      );
    expect(message).toBe('private.example is not a target that this service may contact.');
  });

  it.each(['ftp://public.example/', 'file:///etc/passwd', 'sip:a@public.example'])(
    'refuses the protocol of %s without a lookup',
    async (url) => {
      const asked: string[] = [];
      await expect(guard(asked).check(new URL(url), 'org-1')).rejects.toThrow('must begin with https:// or http://');
      expect(asked).toEqual([]);
    },
  );

  it('fails for a name that does not exist', async () => {
    const check = guard().check(new URL('https://absent.example/'), 'org-1');
    await expect(check).rejects.toMatchObject({ code: 'lookup_failed' });
  });
});

describe('checkLiteral', () => {
  const check = (url: string) => () => checkLiteral(new URL(url), createAddressPolicy());

  it.each(['http://10.0.0.1/', 'http://[fe80::1]/', 'http://2130706433/'])('refuses %s', (url) => {
    expect(check(url)).toThrow(RefusedTarget);
  });

  it.each(['http://8.8.8.8/', 'http://[2606:4700:4700::1111]/', 'http://private.example/'])('accepts %s', (url) => {
    expect(check(url)).not.toThrow();
  });
});

describe('the lookup of a connection', () => {
  it('returns the first address, or all of them', async () => {
    const { lookup: guarded } = guard();
    expect(await lookup(guarded, 'public.example', false)).toEqual({
      error: null,
      address: '93.184.216.34',
      family: 4,
    });
    expect(await lookup(guarded, 'public.example', true)).toMatchObject({
      error: null,
      address: names['public.example'],
    });
  });

  it.each([true, false])('refuses a name that has a private address by now, with all addresses: %s', async (all) => {
    const { error, address } = await lookup(guard().lookup, 'mixed.example', all);
    expect([error, address]).toEqual([expect.any(RefusedTarget), '']);
  });

  it('returns any address to connections of the host', async () => {
    const { openLookup } = guard();
    expect(await lookup(openLookup, 'private.example', false)).toEqual({ error: null, ...privateAddress });
  });

  it('passes on that a name does not exist', async () => {
    const { error } = await lookup(guard().lookup, 'absent.example', true);
    expect(error).toMatchObject({ code: 'lookup_failed' });
  });
});
