import {
  type Clock,
  type IncomingCall,
  type LegEnd,
  type Logger,
  type MediaLeg,
  systemClock,
  type TelephonyHost,
} from '@va/core/adapter';
import { silentLogger } from '@va/testkit';

/** A host that answers every call and echoes its audio frame by frame. */
export class EchoHost implements TelephonyHost {
  readonly clock: Clock = systemClock;
  readonly logger: Logger = silentLogger;
  readonly calls: IncomingCall[] = [];
  readonly ends: LegEnd[] = [];
  readonly digits: string[] = [];
  frames = 0;
  lost = 0;
  full = false;

  admits(): boolean {
    return !this.full;
  }

  refused(): void {}

  onIncomingCall(call: IncomingCall): void {
    this.calls.push(call);
    call.onEnd((end) => this.ends.push(end));
    call.ring();
    call.answer().then(
      (leg) => this.#echo(leg),
      () => {},
    );
  }

  #echo(leg: MediaLeg): void {
    leg.onDtmf(({ digit }) => this.digits.push(digit));
    leg.onFrame((frame) => {
      if (frame === null) this.lost += 1;
      else {
        this.frames += 1;
        leg.send(frame);
      }
    });
  }
}
