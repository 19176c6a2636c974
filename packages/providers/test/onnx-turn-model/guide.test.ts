import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { turnPolicy } from './guide/end-by-model.ts';
import { sentenceEnd } from './guide/sentence-end.ts';
import { turnModel } from './guide/smart-turn.ts';

const guide = await readFile(join(import.meta.dirname, '../../../../docs/turn-taking.md'), 'utf8');
const section = guide.slice(guide.indexOf('## Turn models'));

describe('the guide of turn models', () => {
  it.each(['smart-turn.ts', 'end-by-model.ts', 'sentence-end.ts'])(
    'quotes %s, which is compiled here',
    async (file) => {
      const code = await readFile(join(import.meta.dirname, 'guide', file), 'utf8');
      expect(section).toContain(`\`\`\`ts source=${file}\n${code}\`\`\``);
    },
  );

  it('creates a model without opening its file', () => {
    expect(turnModel.model.id).toBe('onnx');
    expect(turnPolicy.end?.endsAtMs).toBeTypeOf('function');
  });

  it('asks a server about the words', async () => {
    const asked: unknown[] = [];
    const server = createServer((request, response) => {
      void text(request).then((body) => {
        asked.push(JSON.parse(body));
        response.end('{"probability":0.75}');
      });
    });
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { signal } = new AbortController();
    const input = { audio: new Int16Array(0), sampleRateHz: 8_000, text: 'Thank you.', language: 'en', signal };
    expect(await sentenceEnd(`http://127.0.0.1:${port}/`).judge(input)).toBe(0.75);
    expect(asked).toEqual([{ text: 'Thank you.', language: 'en' }]);
  });
});
