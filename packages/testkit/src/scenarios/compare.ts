import { VaError } from '@va/core';
import { align, sideBySide } from './diff.ts';
import { sectionsOf } from './lines.ts';
import { type PlayOptions, playScenario } from './play.ts';
import type { Scenario, Timeline } from './scenario.ts';

/** A scenario had another result than expected. `code` is `scenario_mismatch`; the message shows both side by side. */
export class ScenarioMismatch extends VaError {
  readonly actual: Timeline;

  constructor(message: string, actual: Timeline) {
    super('scenario_mismatch', message);
    this.actual = actual;
  }
}

/**
 * Returns the differences between a timeline and its scenario's expectation, side by side; null without any.
 *
 * @example expect(compareTimeline(scenario, await playScenario(scenario))).toBeNull();
 */
export function compareTimeline(scenario: Scenario, actual: Timeline): string | null {
  const differing = sectionsOf(scenario, actual).filter(
    ({ expected, actual: came }) => expected.length !== came.length || expected.some((line, at) => line !== came[at]),
  );
  if (differing.length === 0) return null;
  const parts = differing.map(({ title, expected, actual: came }) => `${title}:\n${sideBySide(align(expected, came))}`);
  return `"${scenario.name}" had another result.\n${parts.join('\n')}`;
}

/**
 * Plays a scenario and compares the result with its expectation.
 *
 * @example for (const scenario of scenarios) it(scenario.name, () => checkScenario(scenario));
 *
 * @throws ScenarioMismatch, InvalidScenario
 */
export async function checkScenario(scenario: Scenario, options?: PlayOptions): Promise<Timeline> {
  const actual = await playScenario(scenario, options);
  const difference = compareTimeline(scenario, actual);
  if (difference !== null) throw new ScenarioMismatch(difference, actual);
  return actual;
}
