import type { CallControl } from '../../calls/call-control.ts';
import type { DestinationGuard } from '../../calls/limits/destination-guard.ts';
import type { CallFeed } from '../../cluster/call-feed.ts';
import type { JobQueue } from '../../ports/jobs.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Provider } from '../../ports/providers/provider.ts';
import type { RecordingStore } from '../../ports/recordings.ts';
import type { SchemaChecker } from '../../schema/schema-checker.ts';
import type { RecordDependencies } from '../dependencies.ts';

export interface CallOperationsDependencies extends RecordDependencies {
  /** Where webhooks wait to be sent again. The storage's own by default. */
  readonly jobs?: JobQueue | undefined;
  readonly recordings: RecordingStore;
  /** The registered ones; undefined where they are not known. */
  readonly providers?: readonly Provider[] | undefined;
  /** What agents may name; undefined where that is not checked. */
  readonly checkedProviders?: readonly Provider[] | undefined;
  readonly schemas: Pick<SchemaChecker, 'faultsOf'>;
  /** Refuses destinations; all are allowed by default. */
  readonly destinations?: Pick<DestinationGuard, 'refusal'> | undefined;
  /** The calls of this process. Without them calls can be looked at only. */
  readonly control?: CallControl | undefined;
  /** Who tells when something of a call was stored. Without it that is looked for. */
  readonly feed?: Pick<CallFeed, 'watch'> | undefined;
  readonly logger?: Logger | undefined;
}
