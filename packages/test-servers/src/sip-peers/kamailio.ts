import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { VaError } from '@va/core';
import { Child } from './child.ts';
import { findProgram } from './find-program.ts';

export interface KamailioOptions {
  /** Folder for the configuration, which no other program uses. */
  readonly dir: string;
  /** Port for SIP over UDP and TCP. */
  readonly sipPort: number;
  /** Algorithm of digest authentication. */
  readonly algorithm: 'MD5' | 'SHA-256';
  /** Password of every account. */
  readonly password: string;
  /** Account to which calls of each number are routed, by number; several numbers may share an account. */
  readonly numbers?: Readonly<Record<string, string>>;
}

const modules = 'tm sl rr pv maxfwd textops siputils sanity usrloc registrar auth xlog';
/** Parameters of `sanity_check`: all checks of a message, and of its URIs. */
const allChecks = '"17895", "7"';

/**
 * Returns true if Kamailio is installed.
 * @throws VaError `program_missing` on CI when it is not
 */
export function hasKamailio(): boolean {
  return findProgram('kamailio', 'kamailio') !== null;
}

/**
 * Starts Kamailio on loopback as a provider: accounts register there, calls to them are routed through it, and both
 * must authenticate. It stays in the path of each call, and checks every received message. It prints `registered
 * <account> by <Authorization>`, `called <account> by <Proxy-Authorization>`, and `insane: <method>` for an invalid
 * message. Stop it with `stop()`.
 * @throws VaError `program_missing` when it is not installed
 */
export async function runKamailio({
  dir,
  sipPort,
  algorithm,
  password,
  numbers = {},
}: KamailioOptions): Promise<Child> {
  const program = findProgram('kamailio', 'kamailio');
  if (program === null) {
    throw new VaError('program_missing', 'Kamailio is not installed. Install the Debian package kamailio.');
  }
  const realm = 'provider.example';
  const loaded = modules.split(' ').map((name) => `loadmodule "${name}.so"`);
  const aliases = Object.entries(numbers).map(([number, account]) => `  if ($rU == "${number}") $rU = "${account}";`);
  const config = `#!KAMAILIO
debug=2
log_stderror=yes
children=2
tcp_children=1
auto_aliases=no
listen=udp:127.0.0.1:${sipPort}
listen=tcp:127.0.0.1:${sipPort}
${loaded.join('\n')}
modparam("auth", "algorithm", "${algorithm}")
request_route {
  if (!mf_process_maxfwd_header("10") || !sanity_check(${allChecks})) {
    xlog("L_ERR", "insane: $rm\\n");
    exit;
  }
  if (has_totag()) {
    if (!loose_route() && !is_method("ACK")) { sl_send_reply("404", "Not here"); exit; }
    t_relay();
    exit;
  }
  if (is_method("CANCEL")) { if (t_check_trans()) t_relay(); exit; }
  if (is_method("OPTIONS")) { sl_send_reply("200", "Alive"); exit; }
  if (is_method("REGISTER")) {
    if (!pv_www_authenticate("${realm}", "${password}", "0")) { www_challenge("${realm}", "1"); exit; }
    if (save("location")) xlog("L_ERR", "registered $fU by $hdr(Authorization)\\n");
    exit;
  }
  if (!pv_proxy_authenticate("${realm}", "${password}", "0")) { proxy_challenge("${realm}", "1"); exit; }
  xlog("L_ERR", "called $rU by $hdr(Proxy-Authorization)\\n");
  consume_credentials();
  record_route();
${aliases.join('\n')}
  if (!lookup("location")) { sl_send_reply("404", "Not registered"); exit; }
  t_relay();
}
`;
  const file = join(dir, 'kamailio.cfg');
  await writeFile(file, config);
  // In the foreground, with the log on standard error, and only the memory that a test needs.
  const args = ['-f', file, '-DD', '-E', '-m', '16', '-M', '4', '-Y', dir, '-P', join(dir, 'pid')];
  return new Child(program, args, dir);
}
