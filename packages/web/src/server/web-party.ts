import type { Party } from '@va/core/adapter';

/** Caller and callee of calls from a browser, which have no phone number. */
export const webParty: Party = { number: 'web', displayName: null, uri: 'web' };
