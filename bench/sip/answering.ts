import { type IncomingCall, systemClock, type TelephonyHost } from '@va/core/adapter';
import { sip } from '@va/sip';
import { silentLogger } from '@va/testkit';
import { servicePorts } from './settings.ts';

/** @va/sip alone in its own process, with a host that answers every call. */
class AnsweringHost implements TelephonyHost {
  readonly clock = systemClock;
  readonly logger = silentLogger;

  admits(): boolean {
    return true;
  }

  refused(): void {}

  onIncomingCall(call: IncomingCall): void {
    call.ring();
    // Failures are reported by the call's end; SIPp counts them.
    call.answer().then(
      () => {},
      () => {},
    );
  }
}

const telephony = sip({
  listen: ['udp://127.0.0.1:0'],
  inbound: 'open',
  sourceGuard: { trusted: ['127.0.0.1'] },
  rtpPortRange: [servicePorts.min, servicePorts.max],
});
await telephony.start(new AnsweringHost());
process.on('disconnect', () => process.exit(0));
process.send?.({ port: telephony.addresses[0]?.port });
