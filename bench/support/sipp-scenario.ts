function request(method: string, cseq: number, to: string): string {
  return `
      ${method} sip:[service]@[remote_ip]:[remote_port] SIP/2.0
      Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
      From: <sip:+31612345678@[local_ip]:[local_port]>;tag=[pid]-[call_number]
      To: <sip:[service]@[remote_ip]:[remote_port]>${to}
      Call-ID: [call_id]
      CSeq: ${cseq} ${method}
      Contact: <sip:sipp@[local_ip]:[local_port]>
      Max-Forwards: 70`;
}

const empty = '\n      Content-Length: 0\n\n    ';

/** Renders the offer. Without a file to play, all calls share SIPp's own media port, which it does not read. */
function offer(mediaPort: string): string {
  return `
      Content-Type: application/sdp
      Content-Length: [len]

      v=0
      o=sipp 1 1 IN IP4 [local_ip]
      s=-
      c=IN IP4 [local_ip]
      t=0 0
      m=audio ${mediaPort} RTP/AVP 0 101
      a=rtpmap:0 PCMU/8000
      a=rtpmap:101 telephone-event/8000
`;
}

/** Duration of calls, in milliseconds. */
export interface Lasting {
  readonly minMs: number;
  readonly maxMs: number;
}

/**
 * Renders a SIPp scenario: INVITE, 200, ACK, pause, BYE.
 * @param play a file of G.711 μ-law, played in a loop; null for a caller that sends no media
 */
export function callerScenario({ minMs, maxMs }: Lasting, play: string | null): string {
  const mediaPort = play === null ? '[media_port]' : '[rtpstream_audio_port]';
  const media = play === null ? '' : `<nop><action><exec rtp_stream="${play},-1,0,PCMU/8000"/></action></nop>`;
  return `<?xml version="1.0" encoding="ISO-8859-1" ?>
<scenario name="caller">
  <send retrans="500"><![CDATA[${request('INVITE', 1, '')}${offer(mediaPort)}    ]]></send>
  <recv response="100" optional="true"></recv>
  <recv response="180" optional="true"></recv>
  <recv response="200"></recv>
  <send><![CDATA[${request('ACK', 1, '[peer_tag_param]')}${empty}]]></send>
  ${media}
  <pause distribution="uniform" min="${minMs}" max="${maxMs}"/>
  <send retrans="500"><![CDATA[${request('BYE', 2, '[peer_tag_param]')}${empty}]]></send>
  <recv response="200"></recv>
</scenario>
`;
}
