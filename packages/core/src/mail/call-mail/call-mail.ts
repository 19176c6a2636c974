import type { Call } from '../../domain/calls/call.ts';
import { analysisFacts, callFacts, durationText, type Fact, type MailTranscript, mailTranscript } from './facts.ts';
import { escapeHtml, htmlDocument, isolated, paragraph } from './html.ts';

export interface CallMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const maxSubject = 150;
const font = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const heading = `${font};font-size:13px;font-weight:600;color:#5b6472;margin:28px 0 8px;letter-spacing:.02em`;
const body = `${font};font-size:15px;line-height:1.5;color:#1d2330;margin:0;overflow-wrap:anywhere`;

/**
 * Returns the mail about an ended call: summary, analysis and transcript. Spoken text is escaped.
 * @param recordingLink URL at which readers of the mail can listen to the recording; null if there is none
 */
export function callMail(call: Call, recordingLink: string | null): CallMail {
  const facts = callFacts(call);
  const details = analysisFacts(call);
  const transcript = mailTranscript(call);
  return {
    subject: subjectOf(call),
    text: textOf(call, facts, details, transcript, recordingLink),
    html: htmlOf(call, facts, details, transcript, recordingLink),
  };
}

function subjectOf({ caller_phone: other, agent_name: agent, duration_seconds: seconds, direction }: Call): string {
  const way = direction === 'outbound' ? 'Call to' : 'Call from';
  const by = agent === null ? '' : ` – ${agent}`;
  const line = `${way} ${other ?? 'an unknown number'} (${durationText(seconds ?? 0)})${by}`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a header is one line
  return line.replace(/[\u0000-\u001f\u007f]+/g, ' ').slice(0, maxSubject);
}

function textOf(
  call: Call,
  facts: readonly Fact[],
  details: readonly Fact[],
  { messages, omitted }: MailTranscript,
  recordingLink: string | null,
): string {
  const lines = (each: readonly Fact[]): string => each.map(([label, value]) => `${label}: ${value}`).join('\n');
  const said = messages.map(({ role, content }) => `${speaker(role, call)}: ${content}`).join('\n');
  const sections: readonly (readonly [string, string | null])[] = [
    ['', lines(facts)],
    ['SUMMARY', call.summary],
    ['DETAILS', lines(details)],
    ['RECORDING', recordingLink],
    ['TRANSCRIPT', omitted > 0 ? `${said}\n${omittedText(omitted)}` : said],
  ];
  return `${sections
    .flatMap(([title, text]) => (text === null || text === '' ? [] : [title === '' ? text : `${title}\n${text}`]))
    .join('\n\n')}\n`;
}

function htmlOf(
  call: Call,
  facts: readonly Fact[],
  details: readonly Fact[],
  transcript: MailTranscript,
  recordingLink: string | null,
): string {
  const title = escapeHtml(subjectOf(call));
  const content = [
    `<h1 dir="auto" style="${font};font-size:20px;line-height:1.3;color:#1d2330;margin:0 0 16px">${title}</h1>`,
    table(facts),
    call.summary === null ? '' : section('Summary', paragraph(call.summary, body)),
    details.length === 0 ? '' : section('Details', table(details)),
    recordingLink === null ? '' : button(recordingLink),
    transcript.messages.length === 0 ? '' : section('Transcript', said(call, transcript)),
  ].join('\n');
  const page = `<body style="margin:0;padding:0;background:#f3f5f8">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f3f5f8"><tr>
<td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"
 style="max-width:640px;table-layout:fixed;background:#ffffff;border:1px solid #e3e7ed;border-radius:10px">
<tr><td style="padding:28px">
${content}
</td></tr></table>
</td></tr></table>
</body>`;
  return htmlDocument(title, page);
}

function section(title: string, content: string): string {
  return `<h2 style="${heading}">${title}</h2>\n${content}`;
}

function table(facts: readonly Fact[]): string {
  const cell = `${font};font-size:14px;vertical-align:top;overflow-wrap:anywhere`;
  const rows = facts.map(
    ([label, value]) =>
      `<tr><td style="${cell};color:#5b6472;padding:3px 16px 3px 0;width:30%">${isolated(label)}</td>` +
      `<td style="${cell};color:#1d2330;padding:3px 0">${isolated(value)}</td></tr>`,
  );
  const attributes = 'role="presentation" width="100%" cellpadding="0" cellspacing="0" style="table-layout:fixed"';
  return `<table ${attributes}>${rows.join('')}</table>`;
}

function button(link: string): string {
  const style =
    `${font};display:inline-block;font-size:14px;font-weight:600;color:#ffffff;background:#2457d6;` +
    'text-decoration:none;padding:10px 18px;border-radius:6px';
  return `<p style="margin:28px 0 0"><a href="${escapeHtml(link)}" style="${style}">Listen to the recording</a></p>`;
}

function said(call: Call, { messages, omitted }: MailTranscript): string {
  const blocks = messages.map(({ role, content }) => {
    const [ground, color] = role === 'user' ? ['#f3f5f8', '#5b6472'] : ['#eaf0fe', '#2457d6'];
    return (
      `<div style="background:${ground};border-radius:8px;padding:8px 12px;margin:0 0 8px">` +
      `<b style="font-size:12px;color:${color}">${isolated(speaker(role, call))}</b>` +
      `<div dir="auto">${escapeHtml(content).replaceAll('\n', '<br>')}</div></div>`
    );
  });
  const rest = omitted > 0 ? paragraph(omittedText(omitted), `${body};color:#5b6472`) : '';
  return `<div style="${body}">${[...blocks, rest].join('\n')}</div>`;
}

function omittedText(omitted: number): string {
  return `… ${omitted} more ${omitted === 1 ? 'message' : 'messages'}: the record of the call has them all.`;
}

function speaker(role: 'user' | 'assistant', { agent_name: agent, direction }: Call): string {
  if (role === 'assistant') return agent ?? 'Agent';
  return direction === 'outbound' ? 'Called party' : 'Caller';
}
