import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { VaError } from '@va/core';
import { Child } from './child.ts';
import { findProgram } from './find-program.ts';

export interface SippOptions {
  /** Folder for the scenario and the logs, which no other program uses. */
  readonly dir: string;
  /** `host:port` of the callee. */
  readonly target: string;
  /** Name of a built-in scenario of SIPp, such as `uac`, or the XML of a scenario. */
  readonly scenario: { readonly name: string } | { readonly xml: string };
  /** User part of the called address. */
  readonly service?: string;
  readonly transport?: 'udp' | 'tcp';
  readonly calls?: number;
  readonly callsPerSecond?: number;
  readonly sipPort: number;
  readonly rtpPort: number;
  /** Duration of each call, in scenarios with a pause for it. */
  readonly durationMs?: number;
  readonly timeoutSeconds?: number;
  /** Writes all messages with their times to this file of `dir`. */
  readonly messageFile?: string;
}

/**
 * Returns true if SIPp is installed.
 * @throws VaError `program_missing` on CI when it is not
 */
export function hasSipp(): boolean {
  return findProgram('sipp', 'sip-tester') !== null;
}

/**
 * Starts SIPp on loopback. Its exit code is 0 when every call matched the scenario, 1 when one did not.
 * @throws VaError `program_missing` when it is not installed
 */
export async function runSipp(options: SippOptions): Promise<Child> {
  const program = findProgram('sipp', 'sip-tester');
  if (program === null) {
    throw new VaError('program_missing', 'SIPp is not installed. Install the Debian package sip-tester.');
  }
  const { dir, scenario, calls = 1 } = options;
  const scenarioFile = join(dir, 'scenario.xml');
  if ('xml' in scenario) await writeFile(scenarioFile, scenario.xml);
  const args = [
    options.target,
    ...('xml' in scenario ? ['-sf', scenarioFile] : ['-sn', scenario.name]),
    ...['-i', '127.0.0.1', '-p', String(options.sipPort), '-mp', String(options.rtpPort)],
    ...['-t', options.transport === 'tcp' ? 't1' : 'u1'],
    ...['-s', options.service ?? 'service'],
    ...['-m', String(calls), '-r', String(options.callsPerSecond ?? 10), '-l', String(calls)],
    ...['-d', String(options.durationMs ?? 0)],
    ...['-timeout', `${options.timeoutSeconds ?? 30}s`, '-timeout_error'],
    ...['-trace_err', '-error_file', join(dir, 'errors.log'), '-nostdin'],
    ...(options.messageFile === undefined ? [] : ['-trace_msg', '-message_file', join(dir, options.messageFile)]),
  ];
  return new Child(program, args, dir);
}
