/** Background sound behind the agent's voice. */
export interface BackgroundSound {
  readonly sound: 'none' | 'office' | 'cafe' | 'static';
  /**
   * Samples played in a loop instead of `sound`: at the leg's rate, a whole number of 20 ms frames. An array on shared
   * memory is not copied to workers.
   */
  readonly samples?: Int16Array | undefined;
  /** 0–1 of full scale. */
  readonly volume: number;
}
