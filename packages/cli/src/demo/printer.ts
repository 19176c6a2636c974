import { styleText } from 'node:util';
import type { Call, ConversationNotice } from '@va/core';
import type { Clock } from '@va/core/adapter';
import type { ReceivedWebhook } from './customer-server.ts';
import type { Reservation } from './reservations.ts';

type Style = Parameters<typeof styleText>[0];

/** Prints the events of a call in the terminal. */
export class Printer {
  readonly #clock: Clock;
  readonly #startedAtMs: number;
  readonly #colour: boolean;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#startedAtMs = clock.nowMs();
    this.#colour = process.stdout.isTTY === true && process.env.NO_COLOR === undefined;
  }

  title(text: string): void {
    console.log(`\n${this.#style('bold', text)}`);
  }

  line(who: string, text: string, style: Style = 'reset'): void {
    const seconds = ((this.#clock.nowMs() - this.#startedAtMs) / 1_000).toFixed(1).padStart(5);
    console.log(`${this.#style('gray', `${seconds}s`)}  ${this.#style(style, who.padEnd(9))} ${text}`);
  }

  notice(notice: ConversationNotice): void {
    switch (notice.type) {
      case 'user-turn':
        this.line('caller', `“${notice.text}”`, 'cyan');
        return;
      case 'agent-speaking':
        this.line('agent', `“${notice.text}”`, 'green');
        return;
      case 'interrupted':
        this.line('barge-in', 'the caller interrupts, the agent stops', 'magenta');
        return;
      case 'agent-spoke':
        if (notice.interrupted)
          this.line('heard', `only “${notice.heard}” — the model gets only these words`, 'magenta');
        return;
      case 'tool-call':
        this.line('tool', `${notice.call.name}(${notice.call.arguments})`, 'yellow');
        return;
      case 'latency':
        this.#latency(notice);
        return;
    }
  }

  webhook({ message, answer, signature }: ReceivedWebhook): void {
    const status = (message.call as { status?: string } | undefined)?.status;
    const what = message.type === 'status-update' ? `${message.type} ${status}` : message.type;
    this.line('customer', `${what}, signature verified (${signature.slice(0, 16)}…)`, 'blue');
    if (message.type !== 'tool-calls') return;
    this.line('', `  ← ${JSON.stringify(message.toolCallList)}`);
    this.line('', `  → ${JSON.stringify(answer)}`);
  }

  reservation({ name, phone }: Reservation): void {
    this.line('app', `wrote to its own reservations, in this process: ${name}, ${phone}`, 'blue');
  }

  record(call: Call): void {
    console.log(JSON.stringify(call, null, 2));
  }

  #latency({ turn }: Extract<ConversationNotice, { type: 'latency' }>): void {
    const beyond = (turn.total_ms - turn.endpointing_ms).toFixed(0);
    this.line(
      'latency',
      `${turn.total_ms.toFixed(0)} ms from the end of speech to the first audio ` +
        `(${turn.endpointing_ms.toFixed(0)} ms to be sure that the turn is over, ${beyond} ms for the reply)`,
      'gray',
    );
  }

  #style(style: Style, text: string): string {
    return this.#colour ? styleText(style, text) : text;
  }
}
