import { type VerifyWebhookOptions, verifyWebhook } from '@va/webhooks/verify';

export function verifyWithBoth(request: Pick<VerifyWebhookOptions, 'headers' | 'body'>, secrets: string[]): string {
  return verifyWebhook({ ...request, secret: secrets }).type;
}
