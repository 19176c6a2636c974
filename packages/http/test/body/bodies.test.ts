import { describe, expect, it } from 'vitest';
import { BytesBody } from '../../src/body/bytes-body.ts';
import { DrainedBody } from '../../src/body/drained-body.ts';
import { formBytes } from '../../src/body/form-bytes.ts';
import { readJson } from '../../src/body/json-body.ts';
import { mediaTypeOf, refuseEncoded } from '../../src/body/media-type.ts';
import { ParsedBody } from '../../src/body/parsed-body.ts';
import { openUpload } from '../../src/body/upload.ts';
import { collect, limited } from '../../src/message/request-body.ts';
import { requestOf, thrownBy, wireBody } from '../support/request.ts';

const json = { 'content-type': 'application/json' };
const text = async (chunks: AsyncIterable<Uint8Array>): Promise<string> =>
  new TextDecoder().decode(await collect(chunks));

describe('BytesBody', () => {
  it('returns its bytes up to the limit', async () => {
    const body = new BytesBody(Buffer.from('abc'));
    expect(String(await body.bytes(3))).toBe('abc');
    expect(await text(body.chunks())).toBe('abc');
    await expect(body.bytes(2)).rejects.toMatchObject({ status: 413, code: 'body_too_large' });
  });
});

describe('ParsedBody', () => {
  it('returns its value as JSON', async () => {
    const body = new ParsedBody({ a: ['é'] });
    expect(String(await body.bytes())).toBe('{"a":["é"]}');
    expect(await text(body.chunks())).toBe('{"a":["é"]}');
    expect(String(await new ParsedBody(undefined).bytes())).toBe('');
  });

  it('refuses a value that is nested too deeply', async () => {
    let value: unknown = 1;
    for (let depth = 0; depth < 100_000; depth += 1) value = [value];
    await expect(new ParsedBody(value).bytes()).rejects.toMatchObject({ status: 400, code: 'invalid_json' });
  });
});

describe('DrainedBody', () => {
  it('says how to keep the body for the API, however it is read', async () => {
    const body = new DrainedBody();
    const fix =
      /consumed before the API.* \(toFastify, toKoa, toExpress\), or let the parser keep .* request\.rawBody\./;
    await expect(body.bytes()).rejects.toMatchObject({ status: 500, message: expect.stringMatching(fix) });
    expect(await thrownBy(() => collect(body.chunks()))).toMatchObject({ message: expect.stringMatching(fix) });
  });
});

describe('formBytes', () => {
  it.each([
    ['fields', { a: '1', b: 'x y&z' }, 'a=1&b=x+y%26z'],
    ['repeated fields', { a: ['1', '2'] }, 'a=1&a=2'],
    ['no fields', {}, ''],
  ])('writes %s', (_name, parsed, expected) => {
    expect(String(formBytes(parsed))).toBe(expected);
  });

  it.each([null, undefined, 'a=1', 5])('is null for %j', (parsed) => {
    expect(formBytes(parsed)).toBeNull();
  });
});

describe('mediaTypeOf', () => {
  it.each([
    ['application/json', 'application/json'],
    ['Application/JSON; charset=utf-8', 'application/json'],
    [' text/csv ;header=present', 'text/csv'],
    ['', ''],
  ])('of %j is %j', (contentType, expected) => {
    expect(mediaTypeOf(requestOf({ headers: { 'content-type': contentType } }))).toBe(expected);
  });

  it('is empty without a Content-Type', () => {
    expect(mediaTypeOf(requestOf({}))).toBe('');
  });
});

describe('refuseEncoded', () => {
  it.each(['gzip', 'br', 'gzip, identity'])('refuses a body in the coding %s', (coding) => {
    const request = requestOf({ headers: { 'content-encoding': coding }, body: wireBody('x') });
    expect(() => refuseEncoded(request)).toThrow(expect.objectContaining({ status: 415 }));
  });

  it.each([
    ['without a coding', {}, wireBody('x')],
    ['with the coding identity', { 'content-encoding': ' Identity' }, wireBody('x')],
    ['that a parser of the host decoded', { 'content-encoding': 'gzip' }, new BytesBody(Buffer.from('x'))],
  ])('accepts a body %s', (_name, headers, body) => {
    expect(() => refuseEncoded(requestOf({ headers, body }))).not.toThrow();
  });
});

describe('readJson', () => {
  const read = (body: ReturnType<typeof wireBody>, headers: Record<string, string> = json) =>
    readJson(requestOf({ method: 'POST', headers, body }));

  it.each([
    ['an object', wireBody('{"a":', '1}'), { a: 1 }],
    ['a value that a parser of the host returned', new ParsedBody({ a: 1 }), { a: 1 }],
    ['JSON that a text parser of the host left as it is', new ParsedBody('{"a":1}'), { a: 1 }],
    ['another text of a parser of the host', new ParsedBody('a: 1'), 'a: 1'],
    ['a byte-order mark', wireBody('\uFEFF{}'), {}],
  ])('reads %s', async (_name, body, value) => {
    expect((await read(body)).value).toEqual(value);
  });

  it('keeps the bytes as they were sent', async () => {
    expect(String(await (await read(wireBody('{ "a": 1 }'))).bytes())).toBe('{ "a": 1 }');
  });

  it('reads an absent body as an empty object, whose fields are then reported as missing', async () => {
    for (const headers of [{}, { 'content-length': '0' }]) {
      const { value, bytes } = await read(wireBody(), headers);
      expect([value, (await bytes()).byteLength]).toEqual([{}, 0]);
    }
  });

  it.each([
    ['malformed JSON', wireBody('{'), json, 400, 'invalid_json'],
    ['bytes that are not UTF-8', wireBody(new Uint8Array([0x22, 0xff, 0x22])), json, 400, 'invalid_json'],
    ['another media type', wireBody('a'), { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
    ['a body without a media type', wireBody('a'), { 'content-length': '1' }, 415, 'unsupported_media_type'],
    ['chunks without a media type', wireBody('a'), { 'transfer-encoding': 'chunked' }, 415, 'unsupported_media_type'],
    [
      'an announced length of more than 1 MiB',
      wireBody(),
      { ...json, 'content-length': '1048577' },
      413,
      'body_too_large',
    ],
    ['more than 1 MiB', wireBody(new Uint8Array(1_048_577)), json, 413, 'body_too_large'],
  ])('refuses %s', async (_name, body, headers, status, code) => {
    await expect(read(body, headers)).rejects.toMatchObject({ status, code });
  });
});

describe('openUpload', () => {
  const spec = { kinds: ['text/csv', 'multipart/form-data'], maxBytes: 10 } as const;
  const open = (body: ReturnType<typeof wireBody>, headers: Record<string, string>) =>
    openUpload(requestOf({ method: 'POST', headers, body }), spec);
  const csv = { 'content-type': 'text/csv' };
  const form = (content: string) =>
    wireBody(`--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n${content}\r\n--b--\r\n`);
  const isForm = { 'content-type': 'multipart/form-data; boundary=b' };

  it('streams a file, alone or in a form', async () => {
    expect(await text((await open(wireBody('a,', 'b'), csv)).file)).toBe('a,b');
    const upload = await open(form('a,b'), isForm);
    expect(await text(upload.file)).toBe('a,b');
    upload.close();
  });

  it.each([
    ['another media type', wireBody('a'), json, 415],
    ['an announced length beyond the limit', wireBody(), { ...csv, 'content-length': '11' }, 413],
    ['a form without a boundary', form('a'), { 'content-type': 'multipart/form-data' }, 400],
    ['a form without a file', wireBody('--b--\r\n'), isForm, 400],
  ])('refuses %s', async (_name, body, headers, status) => {
    await expect(open(body, headers)).rejects.toMatchObject({ status });
  });

  it.each([
    ['alone', wireBody('a'.repeat(11)), csv],
    ['in a form', form('a'.repeat(11)), isForm],
  ])('fails the reading of a file beyond the limit, %s', async (_name, body, headers) => {
    const { file, close } = await open(body, headers);
    expect(await thrownBy(() => collect(file))).toMatchObject({ status: 413, code: 'body_too_large' });
    close();
  });
});

describe('limited', () => {
  it('passes on chunks up to the limit, and stops at the first one beyond it', async () => {
    const passed: number[] = [];
    const reading = async (): Promise<void> => {
      for await (const { byteLength } of limited(wireBody('aa', 'b', 'c').chunks(), 3)) passed.push(byteLength);
    };
    expect(await thrownBy(reading)).toMatchObject({ status: 413 });
    expect(passed).toEqual([2, 1]);
  });
});
