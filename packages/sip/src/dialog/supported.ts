import type { SipMessage } from '../message/message.ts';

/** The extensions that we speak. @see RFC 3262, RFC 3891, RFC 4028, RFC 4488 */
export const supportedExtensions: readonly string[] = ['100rel', 'timer', 'replaces', 'norefersub'];

export const supported: readonly [string, string] = ['Supported', supportedExtensions.join(', ')];

function names(message: SipMessage, field: string): string[] {
  return message.headers.list(field).map((each) => each.toLowerCase());
}

/** What a request demands that we do not know. */
export function unsupportedIn(message: SipMessage): string[] {
  return message.headers.list('Require').filter((each) => !supportedExtensions.includes(each.toLowerCase()));
}

export function requires(message: SipMessage, extension: string): boolean {
  return names(message, 'Require').includes(extension);
}

/** Whether its sender speaks an extension, by Supported or by Require. */
export function supports(message: SipMessage, extension: string): boolean {
  return names(message, 'Supported').includes(extension) || requires(message, extension);
}

/** Whether its sender says that it takes a method; null when it says nothing of its methods. */
export function allows(message: SipMessage, method: string): boolean | null {
  const methods = message.headers.list('Allow');
  return methods.length === 0 ? null : methods.includes(method);
}
