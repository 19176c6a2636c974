import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';

/** Opens the console and signs in. Anything that the page reports as an error fails the test at `expectClean`. */
export async function openConsole(browser: Browser, url: string, key: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  watchErrors(page);
  await page.goto(url);
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation').waitFor();
  return page;
}

/** Follows a link within the console, such as `#/calls?status=failed`. */
export async function goTo(page: Page, hash: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
}

const errors = new WeakMap<Page, string[]>();

function watchErrors(page: Page): void {
  const found: string[] = [];
  errors.set(page, found);
  page.on('pageerror', (error) => found.push(error.message));
  page.on('console', (message) => {
    // A host without a session refuses the first request, which a browser reports as an error.
    const isExpected = /the server responded with a status of (401|403|404)/.test(message.text());
    if (message.type() === 'error' && !isExpected) found.push(message.text());
  });
}

/** No script of the page has thrown, and its security policy has refused nothing. */
export function expectClean(page: Page): void {
  expect(errors.get(page)).toEqual([]);
}
