import type { RecordedStatement } from './recorded-sql.ts';

export const contestants = ['ours', 'hono', 'fastify'] as const;
export type Contestant = (typeof contestants)[number];

/** What a server process is told in its environment. */
export interface ServerSettings {
  readonly connectionString: string;
  /** The statements of the two routes, recorded from the service. */
  readonly agentSql: RecordedStatement;
  readonly countSql: RecordedStatement;
  readonly listSql: RecordedStatement;
}

export const connections = 10;
