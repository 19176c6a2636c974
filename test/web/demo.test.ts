import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { synthesize } from '@va/local-speech';
import { toWav } from '@va/test-servers/audio';
import { sourceProgram } from '@va/test-servers/programs';
import { expect, it, vi } from 'vitest';
import { hasChromium, launchChromium } from './chromium.ts';

const main = new URL('../../packages/cli/src/main.ts', import.meta.url);

it.skipIf(!hasChromium())('va demo --web › serves a page with which to talk to the agent', async () => {
  const { OPENAI_API_KEY: _, DEEPGRAM_API_KEY: __, ELEVENLABS_API_KEY: ___, ...env } = process.env;
  const dir = await mkdtemp(join(tmpdir(), 'va-web-demo-'));
  const demo = spawn(process.execPath, [await sourceProgram(main), 'demo', '--web'], {
    env,
  });
  let output = '';
  for (const stream of [demo.stdout, demo.stderr]) stream.on('data', (chunk) => (output += chunk));
  const speech = await synthesize('I would like to book a table for two people', { voice: 'rms' });
  const sound = new Int16Array(7_000 * 8 + speech.length + 60_000 * 8);
  sound.set(speech, 7_000 * 8);
  await writeFile(join(dir, 'microphone.wav'), toWav(sound));
  const browser = await launchChromium({ microphone: join(dir, 'microphone.wav'), isWhole: true });
  try {
    const url = await vi.waitFor(() => {
      const found = /http:\/\/localhost:\d+/.exec(output)?.[0];
      if (found === undefined) throw new Error(`the demo printed: ${output}`);
      return found;
    });
    const page = await browser.newPage();
    await page.goto(url);
    await page.click('#call');
    await vi.waitFor(async () => expect(await page.textContent('#words')).toContain('For which day and what time?'));
    expect(await page.textContent('#words')).toContain('You: i would like to book a table for two people');
    expect(await page.textContent('#latency')).toMatch(/\d ms/);
    demo.kill('SIGINT');
    expect(await new Promise((resolve) => demo.once('exit', resolve))).toBe(0);
  } finally {
    await browser.close();
    demo.kill('SIGKILL');
    await rm(dir, { recursive: true });
  }
});
