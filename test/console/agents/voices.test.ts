import { ProviderError, type Voice } from '@va/core';
import type { TtsSession, TtsSessionOptions } from '@va/core/adapter';
import { scriptedLlm, scriptedStt, scriptedTts } from '@va/testkit';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, launchChromium } from '../../web/chromium.ts';
import { type ConsoleService, startConsoleService } from '../support/console-service.ts';
import { expectClean, openConsole } from '../support/open-console.ts';

const voice = (id: string, name: string): Voice => ({
  ...{ id, name, language: 'nl-NL', provider: 'spoken' },
  description: { en: 'A voice', nl: 'Een stem' },
});

describe.skipIf(!hasChromium())('voices in the console', () => {
  const refused = new ProviderError('spoken', 'auth', 'Incorrect key sk-secret');
  const tts = scriptedTts({ id: 'spoken', refuseAt: (text) => (text.includes('refused') ? refused : null) });
  const made: { voiceId: string | undefined; language: string | undefined }[] = [];
  let service: ConsoleService;
  let browser: Browser;
  beforeAll(async () => {
    const voices = [voice('anna/1', 'Anna'), voice('ben?2', 'Ben')];
    const open = (options: TtsSessionOptions): TtsSession => {
      made.push({ voiceId: options.config.voiceId, language: options.language });
      return tts.open(options);
    };
    const providers = [scriptedStt(), scriptedLlm([], { id: 'plain' }), { ...tts, voices, open }];
    service = await startConsoleService({ service: { providers } });
    browser = await launchChromium({ microphone: null });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  async function open(changes: object = {}, scopes?: readonly string[]): Promise<Page> {
    const { id } = await service.va.operations.agents.create(service.orgId, {
      ...{ name: 'Tessa', stt_config: { provider: 'scripted', language: 'de' } },
      ...{ llm_config: { provider: 'plain', messages: [] }, tts_config: { provider: 'spoken', voiceId: 'entered' } },
      ...changes,
    });
    const page = await openConsole(browser, service.url, await service.key(scopes), `#/agents/${id}/voice`);
    // The first column has the row headers: the samples where they are offered, else the names.
    const name = { name: 'Anna', exact: true };
    await page.getByRole('cell', name).or(page.getByRole('rowheader', name)).waitFor();
    return page;
  }

  it('plays one listed voice at a time, by the keyboard too, and loads each once', async () => {
    const page = await open();
    made.length = 0;
    const [anna, ben] = [page.getByRole('row', { name: 'Anna' }), page.getByRole('row', { name: 'Ben' })];
    await anna.getByRole('button', { name: 'Listen to Anna' }).focus();
    await page.keyboard.press('Enter');
    await anna.getByRole('button', { name: 'Stop' }).waitFor();
    await anna.locator('button.sample[aria-busy=false]').waitFor();
    await ben.getByRole('button', { name: 'Listen to Ben' }).click();
    await ben.getByRole('button', { name: 'Stop' }).waitFor();
    await anna.getByRole('button', { name: 'Listen to Anna' }).waitFor();
    await ben.getByRole('button', { name: 'Stop' }).click();
    await ben.getByRole('button', { name: 'Listen to Ben' }).waitFor();
    await anna.getByRole('button', { name: 'Listen to Anna' }).click();
    await anna.getByRole('button', { name: 'Stop' }).waitFor();
    expect(made).toEqual([
      { voiceId: 'anna/1', language: 'nl-NL' },
      { voiceId: 'ben?2', language: 'nl-NL' },
    ]);
    // Listening changes nothing in the form.
    expect(await page.getByText('Unsaved changes').count()).toBe(0);
    expectClean(page);
  });

  it('speaks the entered voice before it is saved, and the first message', async () => {
    const page = await open({ first_message: 'Welcome at the harbour.' });
    made.length = 0;
    await page.getByLabel('Voice', { exact: true }).fill('another');
    await page.getByRole('button', { name: 'Listen to this voice' }).click();
    await page.locator('button.sample[aria-busy=false]', { hasText: 'Stop' }).waitFor();
    await page.getByRole('button', { name: 'Listen to the first message' }).click();
    await page.getByRole('button', { name: 'Listen to this voice' }).waitFor();
    expect(made).toEqual([
      { voiceId: 'another', language: 'de' },
      { voiceId: 'another', language: 'de' },
    ]);
    expect(tts.utterances.slice(-2)).toEqual([[expect.stringMatching(/^Guten Morgen/)], ['Welcome at the harbour.']]);
    expectClean(page);
  });

  it('returns to the beginning when a sample has ended', async () => {
    const page = await open({ first_message: 'Hi.' });
    await page.getByRole('button', { name: 'Listen to the first message' }).click();
    await page.getByRole('button', { name: 'Listen to the first message' }).waitFor();
    expect(await page.getByRole('button', { name: 'Stop' }).count()).toBe(0);
  });

  it('shows why there is no sample, without the vendor’s message', async () => {
    const page = await open({ first_message: 'To be refused.' });
    await page.getByRole('button', { name: 'Listen to the first message' }).click();
    const alert = page.getByRole('alert');
    await alert.getByText('it refused the key').waitFor();
    expect(await alert.textContent()).not.toContain('sk-secret');
    await page.getByRole('button', { name: 'Listen to the first message' }).waitFor();
    await page.getByRole('button', { name: 'Listen to Anna' }).click();
    await alert.waitFor({ state: 'detached' });
  });

  it('offers no sample to a key that may only read', async () => {
    const page = await open({}, ['agents:read', 'voices:read']);
    expect(await page.getByRole('button', { name: /Listen/ }).count()).toBe(0);
    expectClean(page);
  });
});
