import { webhooks } from '@va/webhooks';

export const dispatcher = webhooks({ allowPrivateTargets: (url) => url.hostname === 'localhost' });
