import type { AnyRecord } from '../../../../src/storage/any-records.ts';
import { altered, alteredGet, alteredKind } from '../altered.ts';
import type { Defect } from './defect.ts';

const amsterdam = new Intl.DateTimeFormat('en', { timeZone: 'Europe/Amsterdam', timeZoneName: 'shortOffset' });

/** Defects of stored values. */
export const valueDefects: readonly Defect[] = [
  {
    name: 'replaces JSON above 64 KiB by an empty object',
    foundBy: ['keeps JSON of a megabyte'],
    open: () => altered(alteredKind('json', (value) => (JSON.stringify(value).length > 65_536 ? {} : value))),
  },
  {
    name: 'cuts texts off at 64 KiB',
    foundBy: ['keeps a text of a megabyte'],
    open: () => altered(alteredKind('text', (value) => String(value).slice(0, 65_536))),
  },
  {
    name: 'sorts the keys of JSON',
    foundBy: ['keeps the order of JSON keys'],
    open: () => altered(alteredKind('json', sortKeys)),
  },
  {
    name: 'reads instants as local time with daylight saving time',
    foundBy: ['keeps instants in summer, and at changes of daylight saving time'],
    open: () =>
      altered(
        alteredKind('timestamp', (value) => {
          const date = new Date(String(value));
          const isSummer = amsterdam.format(date).endsWith('GMT+2');
          return new Date(date.getTime() - (isSummer ? 3_600_000 : 0)).toISOString();
        }),
      ),
  },
  {
    name: 'keeps timestamps to the second',
    foundBy: ['keeps the milliseconds of a timestamp'],
    open: () => altered(alteredKind('timestamp', (value) => `${String(value).slice(0, 19)}.000Z`)),
  },
  {
    name: 'keeps instants in 32 bits',
    foundBy: ['keeps instants from 1970 to 9999'],
    open: () =>
      altered(
        alteredKind('timestamp', (value) => {
          const seconds = Math.min(Date.parse(String(value)) / 1_000, 2 ** 31 - 1);
          return new Date(seconds * 1_000).toISOString();
        }),
      ),
  },
  {
    name: 'keeps integers in 32 bits',
    foundBy: ['keeps integers up to 2^53 - 1'],
    open: () => altered(alteredKind('integer', (value) => Number(value) | 0)),
  },
  {
    name: 'keeps numbers in single precision',
    foundBy: ['keeps doubles exactly'],
    open: () => altered(alteredKind('number', (value) => Math.fround(Number(value)))),
  },
  {
    name: 'loses a record whose text has U+0000',
    foundBy: ['stores a text with U+0000 with U+FFFD instead'],
    open: () =>
      altered({
        verbs: ({ collection }) => ({
          async insert(orgId, record) {
            if (!/(?<!\\)\\u0000/.test(JSON.stringify(record))) await collection.insert(orgId, record);
          },
        }),
      }),
  },
  {
    name: 'returns the same object twice',
    foundBy: ['shares no object with the inserter or a reader of a record'],
    open: () => {
      const known = new Map<string, AnyRecord>();
      return altered(
        alteredGet((record) => {
          const key = JSON.stringify(record);
          const same = known.get(key) ?? record;
          known.set(key, same);
          return same;
        }),
      );
    },
  },
];

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortKeys(inner)]));
}
