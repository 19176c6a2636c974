import type { CallCommandRecord, CommandOutcome } from '../domain/calls/call-control.ts';
import { RequestError, toError } from '../errors.ts';
import type { Clock, Timer } from '../ports/clock.ts';
import type { Cluster } from '../ports/cluster.ts';
import type { Logger } from '../ports/logger.ts';
import type { Owned } from '../ports/storage/collection.ts';
import type { Storage } from '../ports/storage/storage.ts';
import { Wakeups } from './wakeups.ts';

/** Topics of commands that wait for the process of their call, and of responses. */
export const commandTopics = { given: 'command', answered: 'answer' } as const;

/** Polling interval for responses and commands, in case notifications are lost. */
const pollMs = 1_000;
/** Time in which the process of the call has to take and execute a command. */
const patienceMs = 10_000;
const batchSize = 100;

export interface RemoteCommandsOptions {
  readonly storage: Storage;
  readonly cluster: Cluster | null;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly nodeId: () => string;
  readonly isAlone: () => boolean;
  /** Executes a command on a call of this process. */
  readonly carryOut: (record: CallCommandRecord) => Promise<CommandOutcome>;
}

/**
 * Commands on calls of other processes. A command is stored in a record that names the process; that process takes it,
 * executes it and writes the response into the record. Notifications contain only record ids, and polling covers lost
 * ones.
 */
export class RemoteCommands {
  readonly #options: RemoteCommandsOptions;
  readonly #answers: Wakeups;
  readonly #inFlight = new Set<Promise<void>>();
  #timer: Timer | null = null;
  #isClosed = false;

  constructor(options: RemoteCommandsOptions) {
    this.#options = options;
    this.#answers = new Wakeups(options.clock);
  }

  /** Starts to look for commands. */
  start(): void {
    if (this.#options.cluster === null || this.#isClosed) return;
    this.#timer = this.#options.clock.setTimer(pollMs, () => {
      if (!this.#options.isAlone()) this.look();
      this.start();
    });
  }

  /** Takes no more commands, and resolves when the taken ones are answered. */
  async stop(): Promise<void> {
    this.#isClosed = true;
    this.#timer?.cancel();
    await Promise.all(this.#inFlight);
  }

  /**
   * Sends a command to the process named in the record.
   * @throws RequestError 409 `call_not_active` if the call ends before the command is taken, 503 `unavailable` if it is
   *   not taken or not answered in time
   */
  async ask(orgId: string, record: CallCommandRecord): Promise<CommandOutcome> {
    const { cluster, clock, logger } = this.#options;
    const answered = this.#answers.expect(record.id);
    try {
      // The record is stored even if the notification is lost.
      await cluster?.publish(commandTopics.given, [record.node_id ?? '']).catch((thrown: unknown) => {
        logger.warn({ err: toError(thrown), callId: record.call_id }, 'failed to notify a node of a command');
      });
      const untilMs = clock.nowMs() + patienceMs;
      for (;;) {
        await answered.wait(Math.min(pollMs, Math.max(0, untilMs - clock.nowMs())));
        const outcome = await this.#answerOf(orgId, record, clock.nowMs() >= untilMs);
        if (outcome !== null) return outcome;
      }
    } finally {
      answered.done();
    }
  }

  /** Handles the notification of a response. */
  onAnswered(recordId: string): void {
    this.#answers.wake(recordId);
  }

  /** Handles the notification of a waiting command. */
  onGiven(nodeId: string): void {
    if (nodeId === this.#options.nodeId()) this.look();
  }

  /** Checks for all expected responses, because notifications may have been lost. */
  wakeAll(): void {
    this.#answers.wakeAll();
  }

  /** Takes the commands that wait for this process. */
  look(): void {
    if (this.#isClosed) return;
    const looking = this.#takeAll()
      .catch((thrown: unknown) => {
        this.#options.logger.warn({ err: toError(thrown) }, 'failed to fetch commands for calls of this node');
      })
      .finally(() => this.#inFlight.delete(looking));
    this.#inFlight.add(looking);
  }

  async #answerOf(orgId: string, record: CallCommandRecord, isLast: boolean): Promise<CommandOutcome | null> {
    const { storage } = this.#options;
    const [now, call] = await Promise.all([
      storage.callCommands.get(orgId, record.id),
      storage.calls.get(orgId, record.call_id),
    ]);
    // The command may have been erased with its call.
    if (now === null || call === null) return gone(record);
    if (now.answer !== null) return now.answer as CommandOutcome;
    const isOver = call.status === 'ended' || call.status === 'failed';
    if (!isOver && !isLast) return null;
    const refusal = isOver ? gone(record) : untaken;
    const withdrawal = { node_id: null, answer: { ...refusal } };
    const withdrawn = await storage.callCommands.update(orgId, record.id, withdrawal, { node_id: record.node_id });
    if (withdrawn !== null) {
      // The command was not executed. Deletes its record, so that the client can send the command again.
      if (!isOver) await storage.callCommands.delete(orgId, record.id);
      return refusal;
    }
    if (isLast) throw new RequestError(503, 'unavailable', 'The node running this call did not respond in time.');
    return null;
  }

  async #takeAll(): Promise<void> {
    const { storage, nodeId } = this.#options;
    const found = await storage.across.callCommands.find({ where: { node_id: nodeId() } }, batchSize);
    await Promise.all(found.map((each) => this.#take(each)));
  }

  async #take({ orgId, record }: Owned<CallCommandRecord>): Promise<void> {
    const { storage, cluster, logger, carryOut } = this.#options;
    // Claims the command, so that it can neither be taken again nor be withdrawn.
    const taken = await storage.callCommands.update(orgId, record.id, { node_id: null }, { node_id: record.node_id });
    if (taken === null) return;
    const outcome = await carryOut(taken);
    await storage.callCommands.update(orgId, record.id, { answer: { ...outcome } });
    await cluster?.publish(commandTopics.answered, [record.id]).catch((thrown: unknown) => {
      logger.debug(
        { err: toError(thrown), callId: record.call_id },
        'failed to notify a node of the result of a command',
      );
    });
  }
}

const untaken: CommandOutcome = {
  status: 503,
  code: 'unavailable',
  message: 'The node running this call does not respond.',
};

function gone({ call_id }: CallCommandRecord): CommandOutcome {
  return { status: 409, code: 'call_not_active', message: `The call ${call_id} is not in progress.` };
}
