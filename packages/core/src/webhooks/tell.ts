import { toError } from '../errors.ts';
import type { Logger } from '../ports/logger.ts';
import type { StoreWithJobs, WebhookDispatcher, WebhookMessage } from '../ports/webhooks.ts';

/**
 * Stores a change and tells of it; gives what the next message of the call goes after, or null. Rejects with what `store` throws. A
 * dispatcher that breaks its promises costs the webhooks, and not the record.
 */
export async function tellWith(
  { dispatcher, logger }: { readonly dispatcher: WebhookDispatcher; readonly logger: Logger },
  messages: readonly WebhookMessage[],
  store: StoreWithJobs,
): Promise<string | null> {
  let storing: Promise<boolean> | null = null;
  const storeOnce: StoreWithJobs = (jobs) => {
    storing ??= store(jobs);
    return storing;
  };
  let last: string | null = null;
  if (messages.length > 0) {
    try {
      last = await dispatcher.notifyWith(messages, storeOnce);
    } catch (thrown) {
      logger.error({ err: toError(thrown) }, 'webhooks could not be handed on');
    }
  }
  await storeOnce([]);
  return last;
}
