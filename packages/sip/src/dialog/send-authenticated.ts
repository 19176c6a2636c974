import type { DigestClient } from '../auth/digest-client.ts';
import { SipHeaders } from '../message/headers.ts';
import type { SipRequest } from '../message/message.ts';
import type { ClientTransaction, ClientTransactionUser } from '../transaction/client-transaction.ts';
import type { Flow } from '../transport/flow.ts';
import type { SessionContext } from './session/session-context.ts';

interface AuthenticatedRequest {
  readonly request: SipRequest;
  readonly flow: Flow;
  /** Null without credentials: a challenge is then a rejection like any other. */
  readonly digest: DigestClient | null;
  /** Returns the sequence number for sending the request again. */
  nextCSeq(): number;
  /** Called with each transaction; the last one is the one to cancel. */
  onSent?(transaction: ClientTransaction): void;
  /** True if a challenge is still to be answered. Default: always. */
  shouldRetry?(): boolean;
}

/** Limit for a server that keeps calling the nonce stale. */
const maxAttempts = 5;

function renumbered(request: SipRequest, cseq: number): SipRequest {
  const headers = SipHeaders.of(request.headers.entries()).set('CSeq', `${cseq} ${request.method}`);
  return { ...request, headers };
}

/**
 * Sends a request and answers each challenge once. Reports the final result to `user`, but not the challenges that were
 * answered.
 * @see RFC 3261 §22.2
 */
export function sendAuthenticated(
  context: Pick<SessionContext, 'request'>,
  options: AuthenticatedRequest,
  user: ClientTransactionUser,
): void {
  const { flow, digest } = options;
  const answered = new Set<string>();
  let attempts = 0;
  const send = (request: SipRequest): void => {
    attempts += 1;
    const authorized = digest === null ? request : digest.authorize(request);
    const transaction = context.request(authorized, flow, {
      onResponse: (response, envelope) => {
        const challenged = response.status === 401 || response.status === 407;
        const goesOn = challenged && digest !== null && attempts < maxAttempts && (options.shouldRetry?.() ?? true);
        if (goesOn && digest.take(response, answered)) send(renumbered(request, options.nextCSeq()));
        else user.onResponse(response, envelope);
      },
      onFailure: (cause, message) => user.onFailure(cause, message),
    });
    options.onSent?.(transaction);
  };
  send(options.request);
}
