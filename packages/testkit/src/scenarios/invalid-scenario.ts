import { VaError } from '@va/core';

/** A scenario that cannot be played as written. `code` is `invalid_scenario`. */
export class InvalidScenario extends VaError {
  constructor(scenario: string, message: string) {
    super('invalid_scenario', `The scenario "${scenario}" cannot be played: ${message}`);
  }
}
