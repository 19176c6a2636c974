import { mkdir, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { type Deployment, startDeployment } from '../test/console/deployment/deployment.ts';
import { type Screen, screensOf } from '../test/console/deployment/screens.ts';
import { launchChromium } from '../test/web/chromium.ts';
import { toPalette } from './console-pictures/palette-png.ts';
import { fileOf, type Shot, shots } from './console-pictures/shots.ts';

// Draws docs/console/*.png: the screens of the console, by Debian's Chromium from a service with data of its own.

const folder = fileURLToPath(new URL('../docs/console/', import.meta.url));

/** Takes the pictures of a screen. Time stands still meanwhile, and nothing moves or blinks. */
async function take(page: Page, screen: string): Promise<void> {
  for (const shot of shots.filter((each) => each.screen === screen)) await takeOne(page, shot);
}

async function takeOne(page: Page, shot: Shot): Promise<void> {
  const { colorScheme, width, height } = shot;
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.setViewportSize({ width, height });
  // Charts and waveforms are drawn again for another width or scheme.
  await page.waitForTimeout(400);
  const png = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  await writeFile(`${folder}${fileOf(shot)}`, toPalette(png));
}

async function show(page: Page, { hash, ready }: Screen): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  await ready(page);
  await page.mouse.move(0, 0);
}

async function takeAll({ service, clock, live, ids }: Deployment): Promise<void> {
  const browser = await launchChromium({ microphone: null, isWhole: true });
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'Europe/Amsterdam' });
  const page = await context.newPage();
  await page.clock.install({ time: new Date(clock.wallMs()) });
  await page.goto(`${service.url}#/calls`);
  await page.getByLabel('API key').waitFor();
  await take(page, 'sign-in');
  await page.getByLabel('API key').fill(await service.key());
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation').first().waitFor();
  await live.play();
  for (const screen of screensOf(ids)) {
    if (!shots.some((shot) => shot.screen === screen.name)) continue;
    await show(page, screen);
    await take(page, screen.name);
    if (screen.hasDialog) await page.keyboard.press('Escape');
  }
  await browser.close();
}

await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
const deployment = await startDeployment();
await takeAll(deployment);
await deployment.close();
process.exit();
