import type { EndedCall, PostCallPlan } from '../calls/record/call-end.ts';
import { callReport } from '../calls/webhooks/call-report.ts';
import { timestamp } from '../clock/timestamp.ts';
import { chargeCredit } from '../costs/charge-credit.ts';
import { costFields } from '../costs/cost-breakdown.ts';
import type { LlmConfig } from '../domain/agents/agent.ts';
import { modelsOf } from '../domain/agents/model-secrets.ts';
import { type Call, shownCall } from '../domain/calls/call.ts';
import type { CostItem } from '../domain/costs/cost-item.ts';
import type { EmitServiceEvent } from '../events.ts';
import { type RandomBytes, uuidv7 } from '../ids.ts';
import { type ActiveJob, JobWorker } from '../jobs/job-worker.ts';
import { transactionWithJobs } from '../jobs/transaction.ts';
import type { Mails } from '../mail/mails.ts';
import { type JobQueue, jobLeaseMs } from '../ports/jobs.ts';
import type { WebhookMessage, WebhookTarget } from '../ports/webhooks.ts';
import type { WebhookOutbox } from '../webhooks/outbox.ts';
import { targetToday } from '../webhooks/target.ts';
import { type AnalysisTask, analysisTaskOf, storedTask, taskToday } from './analysis/analysis-task.ts';
import { type Analysis, type AnalysisDependencies, analyzeCall } from './analysis/analyze-call.ts';
import { afterCallQueue, type FollowUp, followUpSchema } from './follow-up.ts';

/** Maximum delay of the report after the end of the call. */
const reportWithinMs = 60_000;
/** Maximum attempts of one analysis; an unfinished attempt may have crashed the process. */
const maxAttempts = 3;
const gaveUp: Analysis = {
  summary: null,
  result: null,
  error: `analysis: ${maxAttempts} attempts did not finish`,
  usage: [],
};
/** Concurrent analyses. */
const maxInFlight = 100;

export interface AfterCallDependencies extends AnalysisDependencies {
  readonly jobs: JobQueue;
  readonly outbox: Pick<WebhookOutbox, 'prepare'>;
  readonly random: RandomBytes;
  readonly mails: Pick<Mails, 'jobs'>;
  /** Analysis model for agents without a text model. */
  readonly defaultLlm: LlmConfig | null;
  readonly emit: EmitServiceEvent;
  /** Called for each attempt that failed. */
  readonly onJobFailed?: ((queue: string) => void) | undefined;
}

/**
 * Work after the end of a call: analysis, then the report. It is a job, stored with the end of the call. The record
 * changes from `pending` to its final state once, in one transaction with the report, so that a repeated job has no
 * effect.
 */
export class AfterCall {
  readonly #deps: AfterCallDependencies;
  readonly #worker: JobWorker;
  /** Report targets of this process's own calls by job id, secrets included; those of other processes are looked up. */
  readonly #targets = new Map<string, WebhookTarget>();
  /** Tasks of this process's own calls by job id, secrets included; the secrets of other tasks are looked up. */
  readonly #tasks = new Map<string, AnalysisTask>();

  constructor(deps: AfterCallDependencies) {
    this.#deps = deps;
    const work = (job: ActiveJob): Promise<void> => this.#work(job);
    this.#worker = new JobWorker({ ...deps, queue: afterCallQueue, limit: maxInFlight, work });
  }

  start(): void {
    this.#worker.start();
  }

  async stop(drainMs: number): Promise<void> {
    await this.#worker.stop(drainMs);
  }

  /** Returns the record to store with its jobs. Call `begin` after the commit. */
  plan({ orgId, call, assistant, report }: EndedCall): PostCallPlan {
    const { clock, random } = this.#deps;
    const task = analysisTaskOf({ ...this.#deps, call, assistant });
    const notificationEmail = assistant?.notificationEmail ?? null;
    if (task === null) {
      return { call, reportsLater: false, jobs: this.#deps.mails.jobs(orgId, call, notificationEmail), begin() {} };
    }
    const { target, ...rest } = report ?? { target: null, agentId: null, numberName: null, assistant: null };
    const id = uuidv7(clock, random);
    const data: FollowUp = {
      orgId,
      callId: call.id,
      task: storedTask(task),
      report: target === null ? null : { url: target.url, ...rest },
      reportBy: new Date(clock.wallMs() + reportWithinMs).toISOString(),
      notificationEmail,
    };
    return {
      call: { ...call, analysis_status: 'pending' },
      reportsLater: true,
      jobs: [{ queue: afterCallQueue, id, data, afterMs: jobLeaseMs }],
      begin: () => {
        if (target !== null) this.#targets.set(id, target);
        this.#tasks.set(id, task);
        this.#worker.begin({ id, data });
      },
    };
  }

  async #work(job: ActiveJob): Promise<void> {
    const target = this.#targets.get(job.id);
    this.#targets.delete(job.id);
    const known = this.#tasks.get(job.id);
    this.#tasks.delete(job.id);
    const parsed = followUpSchema.safeParse(job.data);
    const { storage, jobs } = this.#deps;
    const record = parsed.success ? await storage.calls.get(parsed.data.orgId, parsed.data.callId) : null;
    if (!parsed.success || record?.analysis_status !== 'pending') {
      await job.release();
      await jobs.settle(afterCallQueue, { done: [job.id], again: [] });
      return;
    }
    const followUp = parsed.data;
    const call = shownCall(record);
    const analysis =
      job.attempts > maxAttempts
        ? gaveUp
        : await this.#analyze(followUp, call, known ?? (await this.#taskOf(followUp, call)), job.signal);
    await job.release();
    if (job.signal.aborted && analysis.error !== null && jobs === storage.jobs) {
      // Left to the next process, because this one is closing.
      const again = [{ queue: afterCallQueue, id: job.id, data: job.data, afterMs: 0 }];
      await jobs.settle(afterCallQueue, { done: [], again });
      return;
    }
    const complete = analyzed(call, analysis, timestamp(this.#deps.clock));
    await this.#complete(job.id, followUp, complete, analysis.usage, target);
  }

  async #taskOf({ orgId, task }: FollowUp, { agent_id: agentId }: Call): Promise<AnalysisTask> {
    const hasEndpoint = modelsOf({ llm_config: task.llmConfig }).some(({ url }) => url !== undefined);
    if (!hasEndpoint || agentId === null) return task;
    return taskToday(task, await this.#deps.storage.agents.get(orgId, agentId));
  }

  async #analyze(
    { orgId, reportBy }: FollowUp,
    call: Call,
    task: AnalysisTask,
    stopping: AbortSignal,
  ): Promise<Analysis> {
    const { clock, logger } = this.#deps;
    const late = new AbortController();
    const stop = (): void => late.abort();
    const timer = clock.setTimer(Math.max(0, Date.parse(reportBy) - clock.wallMs()), stop);
    if (stopping.aborted) stop();
    else stopping.addEventListener('abort', stop, { once: true });
    try {
      const deps = { ...this.#deps, logger: logger.child({ callId: call.id }) };
      return await analyzeCall(deps, orgId, call, task, late.signal);
    } finally {
      timer.cancel();
      stopping.removeEventListener('abort', stop);
    }
  }

  /** Stores the analysis and the report in the transaction that ends the job. */
  async #complete(
    jobId: string,
    followUp: FollowUp,
    call: Call,
    usage: readonly CostItem[],
    known: WebhookTarget | undefined,
  ): Promise<void> {
    const { outbox, emit } = this.#deps;
    const { orgId } = followUp;
    const { summary, analysis_result, analysis_status, analysis_error, updated_at } = call;
    const messages = await this.#report(followUp, call, known);
    const mails = this.#deps.mails.jobs(orgId, call, followUp.notificationEmail);
    const changes = { summary, analysis_result, analysis_status, analysis_error, updated_at };
    const outgoing = await transactionWithJobs(this.#deps, async (tx, sender) => {
      await sender.settle(afterCallQueue, { done: [jobId], again: [] });
      const pending = await tx.calls.lock(orgId, call.id, { analysis_status: 'pending' });
      if (pending === null) return null;
      const prepared = outbox.prepare(messages, pending.webhook_sequence);
      const webhook_sequence = pending.webhook_sequence + messages.length;
      // The time of a bridged caller may have been added to the stored breakdown meanwhile.
      const cost = costFields([...pending.cost_breakdown, ...usage]);
      await tx.calls.update(orgId, call.id, { ...changes, ...cost, webhook_sequence });
      const [log] = await tx.usageLogs.list(orgId, { where: { call_id: call.id }, limit: 1 });
      if (log !== undefined) await tx.usageLogs.update(orgId, log.id, cost);
      await tx.callStatistics.update(orgId, call.id, { cost: cost.cost });
      await chargeCredit(tx, orgId, (cost.cost ?? 0) - (pending.cost ?? 0));
      await sender.send([...prepared.jobs, ...mails]);
      return prepared;
    });
    if (outgoing === null) return;
    outgoing.dispatch();
    emit('call.analyzed', { orgId, call, usage });
  }

  async #report(
    { orgId, report, after = null }: FollowUp,
    call: Call,
    known: WebhookTarget | undefined,
  ): Promise<WebhookMessage[]> {
    if (report === null) return [];
    const agentId = report.agentId === undefined ? call.agent_id : report.agentId;
    const target = known ?? (await this.#target(orgId, agentId, report.url));
    return target === null
      ? []
      : [{ ...callReport({ ...report, agentId, target }, orgId, call), predecessorId: after }];
  }

  async #target(orgId: string, agentId: string | null, url: string): Promise<WebhookTarget | null> {
    const { storage, clock } = this.#deps;
    const [organization, agent] = await Promise.all([
      storage.organizations.get(orgId, orgId),
      agentId === null ? null : storage.agents.get(orgId, agentId),
    ]);
    return targetToday({ organization, agent, now: timestamp(clock) }, url);
  }
}

function analyzed(call: Call, { summary, result, error, usage }: Analysis, now: string): Call {
  return {
    ...call,
    ...costFields([...call.cost_breakdown, ...usage]),
    summary,
    analysis_result: result,
    analysis_status: error === null ? 'completed' : 'failed',
    analysis_error: error,
    updated_at: now,
  };
}
