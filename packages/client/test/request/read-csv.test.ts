import { describe, expect, it } from 'vitest';
import { type Csv, readCsv } from '../../src/csv.ts';
import { readJsonBody } from '../../src/request/json-body.ts';

const text = 'name\nZoë\n';
const bytes = new TextEncoder().encode(text);
async function* pieces(): AsyncGenerator<Uint8Array | string> {
  yield text.slice(0, 3);
  yield bytes.subarray(3, 7);
  yield bytes.subarray(7);
}

describe('readCsv', () => {
  it.each<[string, Csv]>([
    ['a text', text],
    ['bytes', bytes],
    ['a part of a buffer', new Uint8Array([0, ...bytes, 0]).subarray(1, -1)],
    ['a Blob', new Blob([text])],
    ['a stream', new Blob([text]).stream()],
    ['texts and bytes that split a character', pieces()],
  ])('reads %s', async (_, csv) => {
    expect(new TextDecoder().decode(await readCsv(csv))).toBe(text);
  });

  it('copies bytes, which its caller may change afterwards', async () => {
    const own = bytes.slice();
    const read = await readCsv(own);
    own.fill(0);
    expect(read).toEqual(bytes);
  });
});

describe('readJsonBody', () => {
  const streamed = (...chunks: readonly Uint8Array<ArrayBuffer>[]): Response =>
    new Response(
      new ReadableStream({
        start(stream) {
          for (const chunk of chunks) stream.enqueue(chunk);
          stream.close();
        },
      }),
    );

  it('reads JSON whose characters are split between chunks', async () => {
    const json = new TextEncoder().encode('{"name":"Zoë"}');
    const response = streamed(json.slice(0, 12), json.slice(12));
    expect(await readJsonBody(response, 1_000)).toEqual({ name: 'Zoë' });
  });

  it.each(['', '{', '<html>'])('is null for the body %j', async (body) => {
    expect(await readJsonBody(new Response(body), 1_000)).toBeNull();
  });

  it('is null without a body', async () => {
    expect(await readJsonBody(new Response(null), 1_000)).toBeNull();
  });
});
