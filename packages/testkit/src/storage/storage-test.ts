import type { Storage, StorageCapabilities } from '@va/core/adapter';

/** Context of a test. */
export interface StorageTestContext {
  /** The started storage. Tests use organizations and values of their own. */
  readonly storage: Storage;
  /**
   * Started storages on the same records: several with their own connections if the adapter is `shared`, otherwise
   * `storage` alone.
   */
  readonly peers: readonly Storage[];
  /** Returns a storage on the same records, not started. For tests that need `persistent`. */
  openAnother(): Promise<Storage>;
  readonly model: ModelSettings;
}

/** Settings of the random sequences of verbs. */
export interface ModelSettings {
  /** Seed of the commands; failures print it. */
  readonly seed: number;
  /** Number of sequences. */
  readonly runs: number;
}

/** Test of a storage, independent of the test runner. */
export interface StorageTest {
  /** Requirement on the storage, as a sentence. */
  readonly name: string;
  /** Capabilities that the test needs. */
  readonly needs?: readonly (keyof StorageCapabilities)[];
  /** Capability that the adapter must not have. */
  readonly unless?: keyof StorageCapabilities;
  /** Rejects if the storage behaves otherwise. */
  run(context: StorageTestContext): Promise<void>;
}
