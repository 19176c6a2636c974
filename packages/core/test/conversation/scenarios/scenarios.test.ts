import { checkScenario, type Scenario } from '@va/testkit/scenarios';
import { describe, it } from 'vitest';
import { endpointing } from './endpointing.ts';

const themes: Readonly<Record<string, readonly Scenario[]>> = {
  'the end of a turn': endpointing,
};

describe.each(Object.entries(themes))('%s', (_theme, scenarios) => {
  it.each(scenarios)('$name', async (scenario) => {
    await checkScenario(scenario);
  });
});
