import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasHumanSpeech, humanSpeech, toWav, wordsOf } from '@va/test-servers/audio';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hasChromium, launchChromium } from './chromium.ts';
import { startWebService, type WebTestService } from './web-service.ts';

const installed = hasChromium() && hasHumanSpeech();
const web = join(import.meta.dirname, '../../packages/web');

describe.skipIf(!installed)('components in Chromium (Debian: chromium, asterisk-core-sounds-en-wav)', () => {
  let service: WebTestService;
  let browser: Browser;

  beforeEach(async () => {
    service = await startWebService({ first_message: 'Hello.' });
    const microphone = join(service.dir, 'microphone.wav');
    await writeFile(microphone, toWav(await humanSpeech(3_000, 'hello-world', 60_000)));
    browser = await launchChromium({ microphone });
  });
  afterEach(async () => {
    await browser.close();
    await service.close();
  });

  async function open(path: string, text: string): Promise<Page> {
    service.addPage(path, text);
    const page = await browser.newPage();
    await page.goto(`${service.pageUrl.slice(0, -1)}${path}`);
    return page;
  }

  it('<va-call> calls when it is clicked, reports the conversation to the page, and hangs up', async () => {
    const page = await open(
      '/element',
      `<script src="/va-web.js"></script><va-call token-url="/call" label="Talk to us"></va-call><script>
        const said = [];
        document.addEventListener('va-transcript', ({ detail }) => detail.final && said.push(detail.text));
      </script>`,
    );
    const button = page.locator('va-call button');
    expect(await button.textContent()).toBe('Talk to us');
    await button.click();
    await vi.waitFor(async () => expect(await page.evaluate('said')).toEqual(['Hello.', wordsOf('hello-world')]));
    await button.click();
    expect(await service.ended(1)).toMatchObject({ direction: 'web', end_reason: 'user_hangup' });
    await vi.waitFor(async () => expect(await button.textContent()).toBe('Call again'));
  });

  it('useWebCall gives a component the state and the transcript, and ends the call with it', async () => {
    const source = `
      import { createElement as h, useState } from 'react';
      import { createRoot } from 'react-dom/client';
      import { useWebCall } from './src/client/react/index.ts';
      function Call() {
        const call = useWebCall(async () => (await fetch('/call', { method: 'POST' })).json());
        const words = call.transcript.filter(({ final }) => final).map(({ text }) => text).join('|');
        const button = h('button', { onClick: call.start }, 'Call');
        return h('div', null, button, h('output', null, call.state + ':' + words));
      }
      function Page() {
        const [isOpen, setOpen] = useState(true);
        return h('main', null, isOpen && h(Call), h('a', { onClick: () => setOpen(false) }, 'Close'));
      }
      createRoot(document.body.appendChild(document.createElement('div'))).render(h(Page));`;
    const { outputFiles } = await build({
      stdin: { contents: source, resolveDir: web },
      bundle: true,
      write: false,
      define: { 'process.env.NODE_ENV': '"production"' },
    });
    const page = await open('/react', `<body><script>${outputFiles[0]?.text}</script></body>`);
    await page.click('button');
    const output = page.locator('output');
    await vi.waitFor(async () => expect(await output.textContent()).toMatch(`:Hello.|${wordsOf('hello-world')}`));
    await page.click('a');
    expect(await service.ended(1)).toMatchObject({ direction: 'web', end_reason: 'user_hangup' });
  });
});
