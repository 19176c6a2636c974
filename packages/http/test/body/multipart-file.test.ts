import { describe, expect, it } from 'vitest';
import { openMultipartFile } from '../../src/body/multipart-file.ts';
import { bodyTooLarge, collect } from '../../src/message/request-body.ts';
import { thrownBy, wireBody } from '../support/request.ts';

const contentType = 'multipart/form-data; boundary=b';
const field = (name: string, value: string): string =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const file = (content: string, name = 'leads.csv'): string =>
  `--b\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n` +
  `Content-Type: text/csv\r\n\r\n${content}\r\n`;
const end = '--b--\r\n';

async function read(...chunks: readonly (string | Uint8Array)[]): Promise<string> {
  const { file: opened, close } = await openMultipartFile(wireBody(...chunks).chunks(), contentType);
  try {
    return Buffer.from(await collect(opened)).toString();
  } finally {
    close();
  }
}

describe('openMultipartFile', () => {
  it.each([
    ['alone', [file('a,b'), end]],
    ['after fields', [field('note', 'x'), field('other', ''), file('a,b'), end]],
    ['before fields', [file('a,b'), field('note', 'x'), end]],
    ['after a preamble', ['ignored\r\n', file('a,b'), end]],
    ['before an epilogue', [file('a,b'), end, 'ignored']],
  ])('returns a file %s', async (_name, chunks) => {
    expect(await read(...chunks)).toBe('a,b');
  });

  it('returns the first of several files', async () => {
    expect(await read(file('first'), file('second'), end)).toBe('first');
  });

  it('reads a form that is split at every byte', async () => {
    const bytes = Buffer.from(field('note', 'x') + file('name\r\nZoë\r\n--c') + end);
    expect(await read(...Array.from(bytes, (_, n) => bytes.subarray(n, n + 1)))).toBe('name\r\nZoë\r\n--c');
  });

  it('returns an empty file', async () => {
    expect(await read(file(''), end)).toBe('');
  });

  it('streams a file before the form is complete', async () => {
    let sendRest = (): void => {};
    const rest = new Promise<void>((resolve) => {
      sendRest = resolve;
    });
    async function* wire(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(file('x'.repeat(1_000)).slice(0, 600));
      await rest;
      yield Buffer.from(file('x'.repeat(1_000)).slice(600) + end);
    }
    const { file: opened, close } = await openMultipartFile(wire(), contentType);
    sendRest();
    expect((await collect(opened)).byteLength).toBe(1_000);
    close();
  });

  it.each([
    ['no boundary', 'multipart/form-data', file('a') + end],
    ['an empty body', contentType, ''],
    ['fields only', contentType, field('note', 'x') + end],
    ['another boundary', contentType, file('a').replace('--b', '--c') + end.replace('--b', '--c')],
    ['no form', contentType, '{"a":1}'],
  ])('refuses a body with %s', async (_name, type, text) => {
    const opening = () => openMultipartFile(wireBody(text).chunks(), type);
    expect(await thrownBy(opening)).toMatchObject({ status: 400 });
  });

  it('names the missing file as the field at fault', async () => {
    const error = await thrownBy(() => openMultipartFile(wireBody(field('note', 'x') + end).chunks(), contentType));
    expect(error).toMatchObject({ code: 'missing_field', faults: [{ path: 'file', code: 'missing_field' }] });
  });

  it('fails the reading of a file that is cut off', async () => {
    const { file: opened, close } = await openMultipartFile(
      wireBody(file('a,b').replace(/\r\n$/, '')).chunks(),
      contentType,
    );
    expect(await thrownBy(() => collect(opened))).toMatchObject({ status: 400 });
    close();
  });

  it('passes on the error of the body, before the file and within it', async () => {
    async function* beyond(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
      for (const text of texts) yield Buffer.from(text);
      throw bodyTooLarge(5);
    }
    expect(await thrownBy(() => openMultipartFile(beyond(field('note', 'x')), contentType))).toMatchObject({
      status: 413,
    });
    const { file: opened } = await openMultipartFile(beyond(file('a,b')), contentType);
    expect(await thrownBy(() => collect(opened))).toMatchObject({ status: 413 });
  });

  it('stops reading the body when it is closed', async () => {
    let isReleased = false;
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        yield Buffer.from(file('a').replace(/\r\n$/, ''));
        for (;;) {
          await new Promise((resolve) => setImmediate(resolve));
          yield Buffer.from('a');
        }
      } finally {
        isReleased = true;
      }
    }
    const { close } = await openMultipartFile(endless(), contentType);
    close();
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isReleased).toBe(true);
  });
});
