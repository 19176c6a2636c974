import { type AddressPolicy, createAddressPolicy } from '@va/core/adapter';

/** Address policy for hosts whose trunks are on this machine. */
export const loopback: AddressPolicy = createAddressPolicy({ allowed: ['127.0.0.0/8', '::1'] });
