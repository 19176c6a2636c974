import type { SipMessage } from '../message/message.ts';

/** Supported extensions. @see RFC 3262, RFC 3891, RFC 4028, RFC 4488 */
const supportedExtensions: readonly string[] = ['100rel', 'timer', 'replaces', 'norefersub'];

/** Header field that lists the supported extensions. */
export const supported: readonly [string, string] = ['Supported', supportedExtensions.join(', ')];

function names(message: SipMessage, field: string): string[] {
  return message.headers.list(field).map((each) => each.toLowerCase());
}

/** Returns the extensions that a request requires and that are not supported. */
export function unsupportedIn(message: SipMessage): string[] {
  return message.headers.list('Require').filter((each) => !supportedExtensions.includes(each.toLowerCase()));
}

/** Tells whether the sender requires an extension, in lower case. */
export function requires(message: SipMessage, extension: string): boolean {
  return names(message, 'Require').includes(extension);
}

/** Tells whether the sender supports an extension, by Supported or by Require. */
export function supports(message: SipMessage, extension: string): boolean {
  return names(message, 'Supported').includes(extension) || requires(message, extension);
}

/** Tells whether the sender allows a method; null without an Allow field. */
export function allows(message: SipMessage, method: string): boolean | null {
  const methods = message.headers.list('Allow');
  return methods.length === 0 ? null : methods.includes(method);
}
