import type { Browser } from 'playwright-core';
import { median } from '../../support/statistics.ts';
import { newVisitor } from './first-view.ts';

const rounds = 3;
const bursts = 25;
const wheelsPerBurst = 20;
const wheelPx = 400;
const betweenWheelsMs = 16;
/** Pause between bursts: longer than the list waits before it loads the rows in view. */
const restMs = 200;

interface Pauses {
  readonly longestFrameMs: number;
  readonly longestTaskMs: number;
  readonly rows: number;
  readonly pages: number;
}

/** Scrolls through the list with the wheel, in bursts; returns the longest time without a frame. */
export async function measureScroll(browser: Browser, url: string): Promise<number> {
  const all: Pauses[] = [];
  for (let round = 0; round < rounds; round += 1) all.push(await scroll(browser, url));
  for (const { longestFrameMs, longestTaskMs, rows, pages } of all) {
    const longest = `longest frame ${longestFrameMs.toFixed(0)} ms, longest task ${longestTaskMs.toFixed(0)} ms`;
    console.log(`scrolled to row ${rows}, ${pages} pages loaded: ${longest}`);
  }
  return median(all.map(({ longestFrameMs, longestTaskMs }) => Math.max(longestFrameMs, longestTaskMs)));
}

async function scroll(browser: Browser, url: string): Promise<Pauses> {
  const page = await newVisitor(browser, url);
  let pages = 0;
  page.on('requestfinished', (request) => {
    if (request.url().includes('/calls?')) pages += 1;
  });
  await page.goto(`${url}/console/#/calls`);
  await page.evaluate('firstRows');
  await page.waitForTimeout(1_000);
  await page.evaluate(watchPauses);
  await page.mouse.move(640, 500);
  for (let burst = 0; burst < bursts; burst += 1) {
    for (let wheel = 0; wheel < wheelsPerBurst; wheel += 1) {
      await page.mouse.wheel(0, wheelPx);
      await page.waitForTimeout(betweenWheelsMs);
    }
    await page.waitForTimeout(restMs);
  }
  const found = await page.evaluate<Omit<Pauses, 'pages'>>('pausesSoFar()');
  await page.context().close();
  return { ...found, pages };
}

/** Records the gaps between animation frames, and the tasks of more than 50 ms. */
const watchPauses = `{
  let [longestFrameMs, longestTaskMs, lastMs] = [0, 0, performance.now()];
  const onFrame = (nowMs) => {
    longestFrameMs = Math.max(longestFrameMs, nowMs - lastMs);
    lastMs = nowMs;
    requestAnimationFrame(onFrame);
  };
  requestAnimationFrame((nowMs) => {
    lastMs = nowMs;
    requestAnimationFrame(onFrame);
  });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longestTaskMs = Math.max(longestTaskMs, duration);
  }).observe({ entryTypes: ['longtask'] });
  globalThis.pausesSoFar = () => {
    const rows = [...document.querySelectorAll('tbody tr[aria-rowindex]')];
    return { longestFrameMs, longestTaskMs, rows: Number(rows.at(-1)?.getAttribute('aria-rowindex')) };
  };
}`;
