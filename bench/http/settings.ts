import type { RecordedStatement } from './recorded-sql.ts';

export const contestants = ['ours', 'hono', 'fastify'] as const;
export type Contestant = (typeof contestants)[number];

/** Settings passed to a server process in its environment. */
export interface ServerSettings {
  readonly connectionString: string;
  /** Statements of the two routes, recorded from the service. */
  readonly agentSql: RecordedStatement;
  readonly countSql: RecordedStatement;
  readonly listSql: RecordedStatement;
}

export const connections = 10;
