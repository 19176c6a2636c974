import { ProviderError, type ProviderFault, toError } from '@va/core/adapter';

const faultsByCode: Readonly<Record<string, ProviderFault>> = {
  EAUTH: 'auth',
  EOAUTH2: 'auth',
  ENOAUTH: 'auth',
  ETIMEDOUT: 'timeout',
  ECONNECTION: 'connection',
  ESOCKET: 'connection',
  EDNS: 'connection',
  ETLS: 'connection',
  ECONNREFUSED: 'connection',
  ECONNRESET: 'connection',
};

/** Maps an error of the client: by the server's reply if there was one (RFC 5321 §4.2.1), else by its code. */
export function toProviderError(thrown: unknown): ProviderError {
  const error = toError(thrown);
  const code: unknown = Reflect.get(error, 'code');
  const status: unknown = Reflect.get(error, 'responseCode');
  return new ProviderError('smtp', faultOf(code, status), error.message, {
    status: typeof status === 'number' ? status : undefined,
    cause: error,
  });
}

function faultOf(code: unknown, status: unknown): ProviderFault {
  if (code === 'EAUTH' && !(typeof status === 'number' && status < 500)) return 'auth';
  if (typeof status === 'number') return status >= 500 ? 'invalid_request' : 'unavailable';
  const name = String(code);
  return (Object.hasOwn(faultsByCode, name) ? faultsByCode[name] : undefined) ?? 'protocol';
}
