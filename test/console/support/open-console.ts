import type { Browser, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { waitMs } from '../../../scripts/test-limits.ts';

/** Opens the console and signs in. The page closes when the test ends, because an open page takes processor time. */
export async function openConsole(...console: Parameters<typeof openSharedConsole>): Promise<Page> {
  const page = await openSharedConsole(...console);
  onTestFinished(() => page.context().close());
  return page;
}

/**
 * Opens the console and signs in, for several tests. Anything that the page reports as an error fails the test at
 * `expectClean`.
 * @param hash of the page to show, by default the list of calls
 */
export async function openSharedConsole(browser: Browser, url: string, key: string, hash = '#/calls'): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  // Less than the time of a test, so that a failure names the step.
  page.setDefaultTimeout(waitMs);
  watchErrors(page);
  await page.goto(`${url}${hash}`);
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation').first().waitFor();
  return page;
}

/** Follows a link within the console, such as `#/calls?status=failed`. */
export async function goTo(page: Page, hash: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
}

const errors = new WeakMap<Page, string[]>();

/** Collects what the page reports as an error, for `expectClean`. */
export function watchErrors(page: Page): void {
  const found: string[] = [];
  errors.set(page, found);
  page.on('pageerror', (error) => found.push(error.message));
  page.on('console', (message) => {
    // Browsers report refused requests as errors, such as the first one of a page without a session.
    const isExpected = /the server responded with a status of (4\d\d|503)/.test(message.text());
    if (message.type() === 'error' && !isExpected) found.push(message.text());
  });
}

/** Expects that no script of the page has thrown, and that its security policy has refused nothing. */
export function expectClean(page: Page): void {
  expect(errors.get(page)).toEqual([]);
}
