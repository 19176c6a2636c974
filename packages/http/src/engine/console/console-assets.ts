/** A file of the console. */
export interface ConsoleFile {
  readonly body: Uint8Array;
  /** Media type, with its charset for texts. */
  readonly type: string;
  /** True if the name has a hash of the content: browsers keep the file for a year. */
  readonly isImmutable: boolean;
}

/** The built files of the console, from `consoleAssets()` of `@va/console`. */
export interface ConsoleAssets {
  /**
   * Returns a file by its path without a leading slash, such as `assets/index-4f3a.js`; null if there is none. The path
   * `index.html` is the page.
   */
  file(path: string): Promise<ConsoleFile | null>;
}
