export type ResendStatus =
  | 'not_started'
  | 'pending'
  | 'verified'
  | 'partially_verified'
  | 'partially_failed'
  | 'failed'
  | 'temporary_failure';

export interface ResendRecord {
  readonly record: string;
  readonly name: string;
  readonly type: string;
  readonly ttl: string;
  readonly value: string;
  readonly priority?: number;
  status: ResendStatus;
}

/** A domain in the form of the service, without the `object` field that some responses begin with. */
export interface ResendDomain {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
  status: ResendStatus;
  readonly region: string;
  readonly capabilities: { readonly sending: string; readonly receiving: string };
  readonly open_tracking: boolean;
  readonly click_tracking: boolean;
  records: ResendRecord[];
}

/** Public part of a 1024-bit DKIM key. */
const dkimKey =
  'p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQC5s8qjXEPWxS7dMxHqfz0q5EwxJgF3yYxQkYh6nUMgkqzCRk8wZfjGx2ZtVHnHjvNR8wD' +
  'WUk7aQX3Y2cJc6VOuB9p0mS4oWwe9c1yJrM8l6q7tIbfKzdXaEwGZuQhT5v2L9nPo4CsDxR1mAeBgHyKjIw0qVtXzNfUcSlJkO3dWQwIDAQAB';

/** Creates a domain. The names of its records are relative to the zone, as entered in the console of most DNS hosts. */
export function newResendDomain(id: string, name: string, region: string): ResendDomain {
  const host = name.split('.').slice(0, -2).join('.');
  const within = (label: string): string => (host === '' ? label : `${label}.${host}`);
  const common = { ttl: 'Auto', status: 'not_started' } as const;
  return {
    id,
    name,
    created_at: '2026-01-05T10:20:30.123456+00:00',
    status: 'not_started',
    region,
    capabilities: { sending: 'enabled', receiving: 'disabled' },
    open_tracking: false,
    click_tracking: false,
    records: [
      {
        ...common,
        record: 'SPF',
        name: within('send'),
        type: 'MX',
        value: `feedback-smtp.${region}.amazonses.com`,
        priority: 10,
      },
      { ...common, record: 'SPF', name: within('send'), type: 'TXT', value: 'v=spf1 include:amazonses.com ~all' },
      { ...common, record: 'DKIM', name: within('resend._domainkey'), type: 'TXT', value: dkimKey },
    ],
  };
}
