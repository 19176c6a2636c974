/** Cookie with which the host of the benchmark signs its visitor in. */
export const hostSession = { name: 'host_session', value: 'bench' } as const;

/** Settings of the service's process, in the environment variable `BENCH_SETTINGS`. */
export interface ServiceSettings {
  readonly connectionString: string;
  /** Organization of the visitor. */
  readonly orgId: string;
}

/** Goals of the figures, in their order. */
export const goals = {
  first_view_ms: 1_000,
  search_p95_ms: 300,
  stats_p95_ms: 200,
  bundle_kb: 250,
  scroll_max_pause_ms: 100,
  list_p95_ms: null,
  watch_core_pct: 5,
} as const;

type Figure = keyof typeof goals;
export type Figures = Partial<Record<Figure, number>>;
