import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { median } from '../../support/statistics.ts';
import { hostSession } from '../settings.ts';

const rounds = 7;

export interface FirstView {
  /** Time from the start of the navigation to the first rows of calls on the screen. */
  readonly ms: number;
  /** Size in KB of the files of the console that were loaded until then, each compressed with gzip. */
  readonly bundleKb: number;
}

/** Opens the list of calls several times, each time with an empty cache; returns the medians. */
export async function measureFirstView(browser: Browser, url: string): Promise<FirstView> {
  // This view is not counted: it warms compiled code and the file caches of the system.
  await openList(browser, url);
  const views: FirstView[] = [];
  for (let round = 0; round < rounds; round += 1) views.push(await openList(browser, url));
  const tookMs = views.map(({ ms }) => ms);
  console.log(
    `\nfirst view: ${tookMs.map((ms) => ms.toFixed(0)).join(', ')} ms; files: ${views[0]?.bundleKb} KB gzipped`,
  );
  return { ms: median(tookMs), bundleKb: median(views.map(({ bundleKb }) => bundleKb)) };
}

async function openList(browser: Browser, url: string): Promise<FirstView> {
  const page = await newVisitor(browser, url);
  const files: Promise<number>[] = [];
  page.on('response', (response) => {
    if (new URL(response.url()).pathname.startsWith('/console/')) {
      files.push(response.body().then((body) => gzipSync(body).byteLength));
    }
  });
  await page.goto(`${url}/console/#/calls`);
  const ms = await page.evaluate<number>('firstRows');
  const bytes = (await Promise.all(files)).reduce((sum, each) => sum + each, 0);
  await page.context().close();
  return { ms, bundleKb: Math.round(bytes / 100) / 10 };
}

/** Resolves `firstRows` in the page with the time from the start of the navigation until rows have been painted. */
const watchRows = `
  globalThis.firstRows = new Promise((resolve) => {
    const look = () => {
      if (document.querySelector('tbody tr[aria-rowindex] a') === null) requestAnimationFrame(look);
      // The task after the next frame runs when that frame has been painted.
      else requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
    };
    requestAnimationFrame(look);
  });
`;

/** Opens an empty page with the cookies of a visitor whom the host has signed in. */
export async function newVisitor(browser: Browser, url: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  await context.addCookies([{ ...hostSession, url }]);
  const page = await context.newPage();
  await page.addInitScript(watchRows);
  return page;
}
