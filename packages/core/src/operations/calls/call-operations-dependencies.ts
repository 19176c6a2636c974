import type { CallControl } from '../../calls/call-control.ts';
import type { DestinationGuard } from '../../calls/limits/destination-guard.ts';
import type { Clips } from '../../clips/clips.ts';
import type { CallFeed } from '../../cluster/call-feed.ts';
import type { LiveFeed } from '../../live/live-feed.ts';
import type { JobQueue } from '../../ports/jobs.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Provider } from '../../ports/providers/provider.ts';
import type { RecordingStore } from '../../ports/recordings.ts';
import type { SchemaChecker } from '../../schema/schema-checker.ts';
import type { ToolSources } from '../../tools/tool-sources.ts';
import type { RecordDependencies } from '../dependencies.ts';

export interface CallOperationsDependencies extends RecordDependencies {
  /** Job queue whose webhook retries are deleted with a call; by default the storage's. */
  readonly jobs?: JobQueue | undefined;
  readonly recordings: RecordingStore;
  /** The registered providers; undefined if unknown. */
  readonly providers?: readonly Provider[] | undefined;
  /** Providers that agents may name; undefined if providers are not checked. */
  readonly checkedProviders?: readonly Provider[] | undefined;
  readonly schemas: Pick<SchemaChecker, 'faultsOf'>;
  /** Tools of the host and MCP servers that agents may use; undefined if tools are not checked. */
  readonly tools?: ToolSources | undefined;
  /** Audio clips of the host; undefined if they are not checked. */
  readonly clips?: Pick<Clips, 'has'> | undefined;
  /** Refuses destinations; all are allowed by default. */
  readonly destinations?: Pick<DestinationGuard, 'refusal'> | undefined;
  /** WebSocket URL that browsers call; null or absent if the deployment takes no web calls. */
  readonly webCallUrl?: string | null | undefined;
  /** Controls the calls of this process; without it calls are read-only. */
  readonly control?: CallControl | undefined;
  /** Change feed of stored call events; polls when absent. */
  readonly feed?: Pick<CallFeed, 'watch' | 'isAlone'> | undefined;
  /** Source of live events; absent in a process that runs no calls. */
  readonly live?: Pick<LiveFeed, 'join'> | undefined;
  readonly logger?: Logger | undefined;
}
