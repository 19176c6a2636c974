import type { IncomingCall, MediaLeg, Party, RejectCause } from '@va/core/adapter';
import { ScriptedLeg } from './scripted-leg.ts';

function party(number: string): Party {
  return { number, displayName: null, uri: `sip:${number}@test.invalid` };
}

/** An incoming call without a network: the test plays the caller. */
export class ScriptedIncomingCall extends ScriptedLeg implements IncomingCall {
  readonly id: string;
  readonly from: Party;
  readonly to: Party;
  rang = false;
  rejected: RejectCause | null = null;

  constructor(options: { readonly to: string; readonly from?: string; readonly id?: string }) {
    super();
    this.id = options.id ?? 'scripted-call';
    this.from = party(options.from ?? '+31612345678');
    this.to = party(options.to);
  }

  ring(): void {
    this.rang = true;
  }

  answer(): Promise<MediaLeg> {
    if (this.end !== null) return Promise.reject(new Error('The caller hangs up.'));
    this.answered = true;
    return Promise.resolve(this);
  }

  reject(cause: RejectCause): void {
    if (this.answered || this.end !== null) return;
    this.rejected = cause;
    this.finish({ cause: 'local-hangup' });
  }
}
