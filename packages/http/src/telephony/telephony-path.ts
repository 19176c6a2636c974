/** A path below `<base>/telephony/<id>`. */
export interface TelephonyPath {
  /** Id of the adapter. */
  readonly id: string;
  /** The path from `/telephony` on, percent-encoded: `/telephony/twilio/calls`. */
  readonly path: string;
}

const prefix = '/telephony/';

/** Returns the adapter id in a percent-encoded path, and the path below the base; null outside `<base>/telephony/`. */
export function telephonyPath(path: string, basePath: string): TelephonyPath | null {
  if (!path.startsWith(basePath) || !path.startsWith(prefix, basePath.length)) return null;
  const start = basePath.length + prefix.length;
  const end = path.indexOf('/', start);
  return { id: path.slice(start, end === -1 ? path.length : end), path: path.slice(basePath.length) };
}
