import { describe, expect, it } from 'vitest';
import { readDomain, readPage } from '../../src/resend/domain.ts';

const listed = { id: 'd1', name: 'Example.COM', status: 'verified', region: 'eu-west-1' };
const record = { record: 'SPF', name: 'send', type: 'TXT', ttl: 'Auto', value: 'v=spf1', status: 'verified' };
const malformed = expect.objectContaining({ code: 'provider_protocol', fault: 'protocol' });

describe('readDomain', () => {
  it('reads a domain with its records, its name in lower case', () => {
    expect(readDomain({ ...listed, records: [{ ...record, priority: 10 }], created_at: 'now' })).toEqual({
      id: 'd1',
      name: 'example.com',
      status: 'verified',
      region: 'eu-west-1',
      records: [{ ...record, priority: 10 }],
    });
  });

  it('completes what the service leaves out', () => {
    const { ttl: _, ...bare } = record;
    const read = readDomain({ id: 'd1', name: 'a.test', status: 'verified', region: null, records: [bare] });
    expect(read).toMatchObject({ region: null, records: [{ ttl: 'Auto', priority: null }] });
  });

  it('takes a time to live in seconds', () => {
    const read = readDomain({ ...listed, records: [{ ...record, ttl: 3_600, priority: null }] });
    expect(read.records[0]).toMatchObject({ ttl: '3600', priority: null });
  });

  it.each([
    ['temporary_failure', 'pending'],
    ['failed', 'failed'],
    ['partially_verified', 'partially_verified'],
    ['a later status', 'pending'],
    ['constructor', 'pending'],
  ])('reads the status %j of a domain and a record as %s', (status, expected) => {
    const read = readDomain({ ...listed, status, records: [{ ...record, status }] });
    expect([read.status, read.records[0]?.status]).toEqual([expected, expected]);
  });

  it.each([
    ['nothing', null],
    ['a text', 'domain'],
    ['a domain without records', listed],
    ['an empty id', { ...listed, id: '', records: [] }],
    ['a name that is no text', { ...listed, name: 7, records: [] }],
    ['a domain without a status', { ...listed, status: undefined, records: [] }],
    ['a record without a value', { ...listed, records: [{ ...record, value: undefined }] }],
    ['a priority that is no whole number', { ...listed, records: [{ ...record, priority: 1.5 }] }],
  ])('fails for %s', (_, answer) => {
    expect(() => readDomain(answer)).toThrow(malformed);
  });
});

describe('readPage', () => {
  it('reads a page, and treats it as the last one without has_more', () => {
    expect(readPage({ data: [listed] })).toEqual({ data: [{ ...listed, name: 'example.com' }], has_more: false });
    expect(readPage({ data: [], has_more: true })).toEqual({ data: [], has_more: true });
  });

  it.each([[null], [[]], [{}], [{ data: {} }], [{ data: [{}] }], [{ data: [], has_more: 'yes' }]])(
    'fails for %j',
    (answer) => {
      expect(() => readPage(answer)).toThrow(malformed);
    },
  );
});
