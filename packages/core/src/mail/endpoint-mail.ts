import { escapeHtml, htmlDocument, isolated } from './call-mail/html.ts';

export interface DisabledEndpoint {
  readonly url: string;
  /** A sentence. */
  readonly reason: string;
  /** `YYYY-MM-DDTHH:mm:ss.sssZ`. */
  readonly disabledAt: string;
}

const font = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const body = `${font};font-size:15px;line-height:1.5;color:#1d2330;margin:0 0 14px;overflow-wrap:anywhere`;

/** Returns the mail about a disabled webhook endpoint. */
export function endpointMail({ url, reason, disabledAt }: DisabledEndpoint): {
  subject: string;
  text: string;
  html: string;
} {
  const when = `${disabledAt.slice(0, 10)} at ${disabledAt.slice(11, 16)} UTC`;
  const subject = `Webhooks are off: ${hostOf(url)}`;
  const sent = 'No status updates and reports are sent to this address any more. Calls go on.';
  const next =
    'Once the server responds, set webhook_url of the agent again, to the same URL or another one. ' +
    'That enables the webhooks. ' +
    'What was not delivered can be sent again from the delivery log.';
  const text = `${sent}\n\nAddress: ${url}\nSince: ${when}\nWhy: ${reason}\n\n${next}\n`;
  const row = (label: string, value: string): string =>
    `<tr><td style="${font};font-size:14px;vertical-align:top;color:#5b6472;padding:3px 16px 3px 0">${label}</td>` +
    `<td style="${font};font-size:14px;color:#1d2330;padding:3px 0;overflow-wrap:anywhere">` +
    `${isolated(value)}</td></tr>`;
  const title = escapeHtml(subject);
  const page = `<body style="margin:0;padding:24px 12px;background:#f3f5f8">
<table role="presentation" align="center" width="100%" cellpadding="0" cellspacing="0"
 style="max-width:640px;background:#ffffff;border:1px solid #e3e7ed;border-radius:10px"><tr><td style="padding:28px">
<h1 style="${font};font-size:20px;line-height:1.3;color:#1d2330;margin:0 0 16px;overflow-wrap:anywhere">${title}</h1>
<p style="${body}">${sent}</p>
<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 14px">
${row('Address', url)}${row('Since', when)}${row('Why', reason)}</table>
<p style="${body};margin:0">${next}</p>
</td></tr></table>
</body>`;
  const html = htmlDocument(title, page);
  return { subject, text, html };
}

/** Returns the host of the URL, cut to 120 characters for the subject line. */
function hostOf(url: string): string {
  return (URL.canParse(url) ? new URL(url).host : 'an invalid address').slice(0, 120);
}
