import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

/** A rule that elements of the page do not meet. */
export interface Finding {
  readonly rule: string;
  readonly impact: string;
  readonly elements: readonly string[];
}

interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Checks the page as it is shown against the rules of axe-core, those of WCAG 2.2 AA and its best practices. The
 * debugger evaluates the script, which the content security policy of the page does not concern.
 */
export async function findingsOf(page: Page): Promise<readonly Finding[]> {
  if (await page.evaluate(`typeof axe === 'undefined'`)) await page.evaluate(`(() => { ${source} })()`);
  const violations: readonly Violation[] = await page.evaluate(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)`,
  );
  return violations.map(({ id, impact, nodes }) => ({
    rule: id,
    impact: impact ?? 'minor',
    elements: nodes.slice(0, 5).map(({ html, failureSummary }) => `${html.slice(0, 200)} ${failureSummary ?? ''}`),
  }));
}
