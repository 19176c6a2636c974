import { offerText, requestText } from './messages.ts';

export interface HardMessage {
  readonly what: string;
  readonly text: string;
  /** Final status of the agent when its user rejects calls with 486; null for no response. */
  readonly status: number | null;
}

const folded = `OPTIONS sip:va@127.0.0.1 SIP/2.0
v:  SIP  / 2.0
 / UDP
    127.0.0.1:5060 ; branch  =
  z9hG4bK.folded , SIP/2.0/TCP [2001:db8::9]
 ;branch=z9hG4bK2
TO :
 sip:va@127.0.0.1 ;   tag-less
f: "J Rosenberg \\\\\\"" <sip:a@127.0.0.1> ; tag = 98asjd8
Max-Forwards: 0068
i: 98asdh@127.0.0.1
cseq:   0009
  OPTIONS
s:
NewField: new,, value;;;
`;

/** One message for each kind of difficulty that RFC 4475 and RFC 5118 show. */
export const hardMessages: readonly HardMessage[] = [
  { what: 'white space, folding and short names everywhere', text: `${folded}l: 0\n\n`, status: 200 },
  {
    what: 'a method with every character of a token',
    text: requestText({ method: "!odd.Method_%25*+`'~" }),
    status: 501,
  },
  {
    what: 'escapes in a user part, also of a zero byte',
    text: requestText({ uri: 'sip:sips%3Auser%40example.com%00@127.0.0.1;x%20=%41' }),
    status: 486,
  },
  {
    what: 'no space between display name and address',
    text: requestText().replace('"Ann" <', 'Ann<'),
    status: 486,
  },
  {
    what: 'long header values and parameters',
    text: requestText({ headers: [`Subject: ${'long '.repeat(900)}`, `Contact: <sip:a@b;${'x'.repeat(900)}=y>`] }),
    status: 486,
  },
  { what: 'a second message after the end of the first', text: `${requestText()}${requestText()}`, status: 486 },
  {
    what: 'a body of zeros',
    text: requestText({ method: 'MESSAGE', sdp: '\0\0\0' }).replace('application/sdp', 'multipart/mixed'),
    status: 405,
  },
  {
    what: 'empty elements and parameters in Via',
    text: requestText({ via: 'Via: SIP/2.0/UDP 127.0.0.1:5060;;,;,,' }),
    status: 400,
  },
  {
    what: 'a Contact with headers outside of brackets',
    text: requestText({ headers: ['Contact: sip:a@b?Route=%3Csip:c%3E'] }),
    status: 400,
  },
  { what: 'a length beyond the datagram', text: requestText().replace('Length: 0', 'Length: 9999'), status: 400 },
  { what: 'a negative length', text: requestText().replace('Length: 0', 'Length: -999'), status: 400 },
  { what: 'two lengths', text: requestText({ headers: ['Content-Length: 8'] }), status: 400 },
  { what: 'a CSeq beyond 2^31', text: requestText().replace('CSeq: 1', 'CSeq: 36893488147419103232'), status: 400 },
  { what: 'a quote that never ends', text: requestText().replace('To: <', 'To: "Ann <'), status: 400 },
  { what: 'a Request-URI in brackets', text: requestText({ uri: '<sip:va@127.0.0.1>' }), status: 400 },
  { what: 'white space in the Request-URI', text: requestText({ uri: 'sip:va@127.0.0.1; lr' }), status: 400 },
  { what: 'headers in the Request-URI', text: requestText({ uri: 'sip:va@127.0.0.1?Route=x' }), status: 400 },
  { what: 'white space within the brackets', text: requestText().replace('To: <', 'To: < '), status: 400 },
  { what: 'a comma in a display name', text: requestText().replace('"Ann"', 'Bee, Ann'), status: 400 },
  { what: 'another version', text: requestText().replace('SIP/2.0\r', 'SIP/7.0\r'), status: 505 },
  { what: 'a CSeq of another method', text: requestText().replace('1 INVITE', '1 OPTIONS'), status: 400 },
  { what: 'no To', text: requestText().replace(/To: .*\r\n/, ''), status: 400 },
  { what: 'several Call-IDs', text: requestText({ headers: ['Call-ID: other'] }), status: 400 },
  { what: 'an unknown scheme', text: requestText({ uri: 'nobodyknows:va' }), status: 416 },
  { what: 'a scheme with a dot and an authority', text: requestText({ uri: 'soap.beep://127.0.0.1' }), status: 416 },
  { what: 'an unknown required extension', text: requestText({ headers: ['Require: nobody-knows'] }), status: 420 },
  {
    what: 'a body of another type',
    text: requestText({ sdp: offerText }).replace('application/sdp', 'application/unknown'),
    status: 415,
  },
  { what: 'an Accept without a supported type', text: requestText({ headers: ['Accept: text/other'] }), status: 406 },
  {
    what: 'no branch, tag or Max-Forwards, as in RFC 2543',
    text: requestText({ via: 'Via: SIP/2.0/UDP 127.0.0.1:5060' })
      .replace(';tag=ann', '')
      .replace('Max-Forwards: 70\r\n', ''),
    status: 486,
  },
  {
    what: 'no hops left',
    text: requestText().replace('Max-Forwards: 70', 'Max-Forwards: 0'),
    status: 486,
  },
  { what: 'a bare magic cookie', text: requestText({ branch: 'z9hG4bK' }), status: 486 },
  { what: 'an IPv6 address without brackets', text: requestText({ uri: 'sip:2001:db8::10' }), status: 400 },
  { what: 'an IPv6 address with a port in it', text: requestText({ uri: 'sip:[2001:db8::10:5070]' }), status: 486 },
  {
    what: 'an IPv6 address as it was received, without brackets',
    text: requestText({ via: 'Via: SIP/2.0/UDP [2001:db8::9]:5060;received=2001:db8::9:255;branch=z9hG4bKx' }),
    status: 486,
  },
  { what: 'an IPv6 address of three colons', text: requestText({ uri: 'sip:[2001:db8:::192.0.2.1]' }), status: 486 },
  {
    what: 'a response with a status out of range',
    text: 'SIP/2.0 4294967301 better not break the receiver\nVia: SIP/2.0/UDP 127.0.0.1\n\n',
    status: null,
  },
];
