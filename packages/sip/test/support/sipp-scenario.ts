interface CallScenario {
  /** Action after the call is answered, as SIPp's `<action>`. */
  readonly media: string;
  /** Time until the caller hangs up; undefined if the agent hangs up. */
  readonly pauseMs?: number;
}

function request(method: string, cseq: number, to: string): string {
  return `
      ${method} sip:[service]@[remote_ip]:[remote_port] SIP/2.0
      Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
      From: "SIPp" <sip:+31612345678@[local_ip]:[local_port]>;tag=[call_number]
      To: <sip:[service]@[remote_ip]:[remote_port]>${to}
      Call-ID: [call_id]
      CSeq: ${cseq} ${method}
      Contact: <sip:sipp@[local_ip]:[local_port]>
      Max-Forwards: 70`;
}

const offer = `
      Content-Type: application/sdp
      Content-Length: [len]

      v=0
      o=sipp 1 1 IN IP[local_ip_type] [local_ip]
      s=-
      c=IN IP[media_ip_type] [media_ip]
      t=0 0
      m=audio [auto_media_port] RTP/AVP 0 101
      a=rtpmap:0 PCMU/8000
      a=rtpmap:101 telephone-event/8000
      a=fmtp:101 0-15
`;
const empty = '\n      Content-Length: 0\n\n    ';

function hangUpAfter(pauseMs: number): string {
  return `
  <pause milliseconds="${pauseMs}"/>
  <send retrans="500"><![CDATA[${request('BYE', 2, '[peer_tag_param]')}${empty}]]></send>
  <recv response="200"></recv>`;
}

const isHungUp = `
  <recv request="BYE"></recv>
  <send><![CDATA[
      SIP/2.0 200 OK
      [last_Via:]
      [last_From:]
      [last_To:]
      [last_Call-ID:]
      [last_CSeq:]${empty}]]></send>`;

/** A SIPp scenario in which the caller offers PCMU and telephone-event. */
export function callScenario(options: CallScenario): string {
  return `<?xml version="1.0" encoding="ISO-8859-1" ?>
<scenario name="call">
  <send retrans="500"><![CDATA[${request('INVITE', 1, '')}${offer}    ]]></send>
  <recv response="100" optional="true"></recv>
  <recv response="180" optional="true"></recv>
  <recv response="200"></recv>
  <send><![CDATA[${request('ACK', 1, '[peer_tag_param]')}${empty}]]></send>
  <nop>${options.media}</nop>${options.pauseMs === undefined ? isHungUp : hangUpAfter(options.pauseMs)}
</scenario>
`;
}
