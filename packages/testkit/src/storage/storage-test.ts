import type { Storage, StorageCapabilities } from '@va/core';

/** What a test of the kit is given. */
export interface StorageTestContext {
  /** Started. Tests keep apart by organization, and by values that no other test uses. */
  readonly storage: Storage;
  /**
   * A few storages on the same records, started: each with its own connection where the adapter is `shared`, else all of
   * them the one above.
   */
  readonly peers: readonly Storage[];
  /** A storage that is not started, on the records of the one above. Asked for by tests that need `persistent`. */
  openAnother(): Promise<Storage>;
  readonly model: ModelSettings;
}

export interface ModelSettings {
  /** The same seed makes the same commands; a failure tells it. */
  readonly seed: number;
  /** How many sequences of commands are tried. */
  readonly runs: number;
}

export interface StorageTest {
  /** What the storage does, in a sentence. */
  readonly name: string;
  /** What it has to declare for the test to say anything. */
  readonly needs?: readonly (keyof StorageCapabilities)[];
  /** What it must not declare. */
  readonly unless?: keyof StorageCapabilities;
  /** Rejects where the storage does something else. */
  run(context: StorageTestContext): Promise<void>;
}
