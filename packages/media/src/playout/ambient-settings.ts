/** Background sound behind the agent's voice. */
export interface AmbientSettings {
  readonly sound: 'none' | 'office' | 'cafe' | 'static';
  /** 0–1 of full scale. */
  readonly volume: number;
}
