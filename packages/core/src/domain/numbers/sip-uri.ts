/** `sip:user@host`, with a port or parameters. */
export const sipUriPattern: RegExp = /^sips?:[^@\s<>"]{1,128}@[^@\s<>"/?]{1,128}$/i;
