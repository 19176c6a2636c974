/** Background sound behind the agent's voice. */
export interface BackgroundSound {
  readonly sound: 'none' | 'office' | 'cafe' | 'static';
  /**
   * Played instead of `sound`: at the leg's rate, a whole number of 20 ms frames, which repeat. Workers share shared
   * memory.
   */
  readonly samples?: Int16Array | undefined;
  /** 0–1 of full scale. */
  readonly volume: number;
}
