import { pause } from '../../async/pause.ts';
import type { ProviderRegistry } from '../../calls/session/provider-registry.ts';
import type { PriceList } from '../../costs/price-list.ts';
import { UsageMeter } from '../../costs/usage-meter.ts';
import type { Call } from '../../domain/calls/call.ts';
import type { CostItem } from '../../domain/costs/cost-item.ts';
import { ProviderError, toError } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Storage } from '../../ports/storage/storage.ts';
import type { Vault } from '../../ports/vault.ts';
import { linksOf, llmConfigs } from '../../providers/link.ts';
import { readOwnKeys } from '../../providers/own-keys.ts';
import type { ProviderCircuits } from '../../providers/provider-circuits.ts';
import type { SchemaChecker } from '../../schema/schema-checker.ts';
import type { AnalysisTask } from './analysis-task.ts';
import { complete } from './completion.ts';
import { summaryMessages } from './prompts.ts';
import { type Ask, type Check, structuredData } from './structured-data.ts';
import { transcriptText } from './transcript-text.ts';

export interface AnalysisDependencies {
  readonly storage: Storage;
  readonly vault: Vault | undefined;
  readonly registry: ProviderRegistry;
  readonly circuits: ProviderCircuits;
  readonly schemas: Pick<SchemaChecker, 'check'>;
  readonly prices: PriceList;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Results of an analysis. Missing parts are null, and the error says why. */
export interface Analysis {
  readonly summary: string | null;
  readonly result: Record<string, unknown> | null;
  readonly error: string | null;
  /** Usage that the models bill for the analysis. */
  readonly usage: readonly CostItem[];
}

/** Maximum wait for a model's first token, longer than in a call because nobody waits on the line. */
const firstTokenTimeoutMs = 15_000;
const retryDelaysMs = [1_000, 5_000];
const maxErrorLength = 2_000;

/**
 * Analyses a call with the agent's providers, keys and circuits. Never rejects; returns what is complete when the
 * signal aborts.
 */
export async function analyzeCall(
  deps: AnalysisDependencies,
  orgId: string,
  { messages }: Pick<Call, 'messages'>,
  task: AnalysisTask,
  signal: AbortSignal,
): Promise<Analysis> {
  const errors: string[] = [];
  const noted = async <T>(what: string, work: Promise<T> | null): Promise<T | null> => {
    try {
      return await work;
    } catch (thrown) {
      deps.logger.warn({ err: toError(thrown) }, `failed to produce the ${what} of a call`);
      errors.push(`${what}: ${toError(thrown).message}`);
      return null;
    }
  };
  const transcript = transcriptText(messages);
  const meter = new UsageMeter(deps.prices, deps.clock);
  const ask = await noted('analysis', opened({ ...deps, meter }, orgId, task, signal));
  if (ask === null) return { summary: null, result: null, error: errors.join(' ').slice(0, maxErrorLength), usage: [] };
  const { summary: summed, structured } = task;
  const check: Check = (schema, value) => deps.schemas.check(orgId, schema, value);
  const [summary, result] = await Promise.all([
    noted('summary', summed === null ? null : ask(summaryMessages(summed.messages, transcript))),
    noted('result', structured === null ? null : structuredData(structured, transcript, { ask, check })),
  ]);
  const error = errors.length === 0 ? null : errors.join(' ').slice(0, maxErrorLength);
  return { summary: summary === '' ? null : summary, result, error, usage: meter.items() };
}

async function opened(
  deps: AnalysisDependencies & { readonly meter: UsageMeter },
  orgId: string,
  { llmConfig }: AnalysisTask,
  signal: AbortSignal,
): Promise<Ask> {
  const { registry, circuits, clock, logger, meter } = deps;
  const models = linksOf(llmConfigs(llmConfig), (id) => registry.find('llm', id), logger);
  const keys = await readOwnKeys(
    deps,
    orgId,
    models.map(({ provider }) => provider),
  );
  const chain = { circuits, orgId, keys, clock, logger, meter, timeoutMs: firstTokenTimeoutMs };
  return async (messages) => {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await complete({ models, chain, signal }, messages);
      } catch (thrown) {
        const delayMs = retryDelaysMs[attempt];
        const mayPass = thrown instanceof ProviderError && thrown.retryable;
        if (!mayPass || delayMs === undefined || signal.aborted) throw thrown;
        await pause(delayMs, clock, signal);
      }
    }
  };
}
