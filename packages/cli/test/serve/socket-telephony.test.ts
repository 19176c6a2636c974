import { describe, expect, it } from 'vitest';
import { parseFlags } from '../../src/serve/flags.ts';
import { openSocketTelephony, socketLines, socketTelephonyOf } from '../../src/serve/socket-telephony.ts';

const publicUrl = ['--public-url', 'https://a.test'];
const telephonyOf = (...args: readonly string[]) => socketTelephonyOf(parseFlags([...publicUrl, ...args]));

describe('socketTelephonyOf', () => {
  it('needs no public URL without carriers and web calls', () => {
    expect(socketTelephonyOf(parseFlags([]))).toEqual({ carriers: [], web: null });
  });

  it('takes web calls of any page, or those of some origins only', () => {
    expect(telephonyOf('--web-calls').web).toEqual({});
    expect(telephonyOf('--web-origin', 'https://b.test', '--web-origin', 'https://c.test').web).toEqual({
      origins: ['https://b.test', 'https://c.test'],
    });
  });

  it('keeps all of a URL that contains an equals sign', () => {
    expect(telephonyOf('--carrier', 'vonage=https://api.test/?a=b').carriers).toEqual([
      { name: 'vonage', apiUrl: 'https://api.test/?a=b' },
    ]);
  });

  it.each([
    ['twilio=', 'is not a valid URL'],
    ['twilio=ftp://api.test', 'is not a valid URL'],
    ['Twilio', 'twilio, telnyx, plivo, vonage'],
    ['', 'twilio, telnyx, plivo, vonage'],
  ])('refuses --carrier %j', (carrier, message) => {
    expect(() => telephonyOf('--carrier', carrier)).toThrow(message);
  });

  it('refuses web calls of some origins without a public URL', () => {
    expect(() => socketTelephonyOf(parseFlags(['--web-origin', 'https://b.test']))).toThrow('--public-url');
  });
});

describe('openSocketTelephony', () => {
  it('opens each carrier that was chosen, and web calls', () => {
    const adapters = openSocketTelephony(telephonyOf('--carrier', 'plivo', '--carrier', 'twilio', '--web-calls'));
    expect(adapters.map(({ id }) => id)).toEqual(['plivo', 'twilio', 'web']);
    expect(openSocketTelephony({ carriers: [], web: null })).toEqual([]);
  });
});

describe('socketLines', () => {
  it('name what is open below the public URL', () => {
    const carriers = [{ name: 'telnyx' as const }];
    expect(socketLines({ carriers, web: null }, 'https://a.test')).toEqual([
      'Webhook of telnyx  https://a.test/telephony/telnyx/voice',
    ]);
    expect(socketLines({ carriers: [], web: {} }, 'https://a.test/')).toEqual([
      'Script for pages  https://a.test/va-web.js',
    ]);
  });
});
