import { describe, expect, it } from 'vitest';
import {
  agreeOnInterval,
  intervalHeaders,
  isTooBrief,
  readMinSe,
  readSessionExpires,
} from '../../../src/dialog/session/session-expires.ts';
import { parsedRequest, requestText } from '../../support/messages.ts';

const invite = (...headers: string[]) => parsedRequest(requestText({ headers }));

describe('session interval', () => {
  it.each([
    ['Session-Expires: 1800', { seconds: 1_800, refresher: null }],
    ['x: 90;refresher=UAC', { seconds: 90, refresher: 'uac' }],
    ['Session-Expires: 90 ; a=b ;refresher=uas', { seconds: 90, refresher: 'uas' }],
    ['Session-Expires: soon', null],
    ['Session-Expires: -1', null],
    ['Session-Expires: 99999999999', null],
    ['Min-SE: 90', null],
  ])('is parsed from %s', (header, expected) => {
    expect(readSessionExpires(invite(header))).toEqual(expected);
  });

  it('is too brief below the minimum, if the sender supports timers', () => {
    expect(isTooBrief(invite('Supported: timer', 'Session-Expires: 60'), 90)).toBe(true);
    expect(isTooBrief(invite('Supported: timer', 'Session-Expires: 90'), 90)).toBe(false);
    expect(isTooBrief(invite('Session-Expires: 60'), 90)).toBe(false);
    expect(readMinSe(invite('Min-SE: 120;x'))).toBe(120);
  });

  it.each([
    [['Supported: timer', 'Session-Expires: 300'], 'uac', ['Session-Expires', 'Require']],
    [['Supported: timer', 'Session-Expires: 300;refresher=uas'], 'uas', ['Session-Expires']],
    [['Session-Expires: 300;refresher=uac'], 'uas', ['Session-Expires']],
  ] as const)('is agreed for %j with the refresher %s', (headers, refresher, fields) => {
    const interval = agreeOnInterval(invite(...headers), 90);
    expect(interval).toEqual({ seconds: 300, refresher });
    expect(intervalHeaders(interval).map(([name]) => name)).toEqual(fields);
  });

  it('is raised to the minimum when a proxy asks for less', () => {
    expect(agreeOnInterval(invite('Session-Expires: 30'), 90)?.seconds).toBe(90);
    expect(agreeOnInterval(invite('Supported: timer'), 90)).toBeNull();
    expect(intervalHeaders(null)).toEqual([]);
  });
});
