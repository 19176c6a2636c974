import type { HostPrincipal } from '@va/core';

interface User {
  readonly name: string;
  readonly password: string;
  /** The tenant, under the application's own id for it. */
  readonly organization: { readonly id: string; readonly name: string };
}

/** Stands in for the application's own table of users, which would have hashes of passwords. */
export const users: readonly User[] = [
  {
    name: 'ada',
    password: 'analytical',
    organization: { id: '019a3f60-0000-7000-8000-000000000001', name: 'Harbour Restaurant' },
  },
  {
    name: 'grace',
    password: 'compiler',
    organization: { id: '019a3f60-0000-7000-8000-000000000002', name: 'Northern Dental' },
  },
];

export function findUser(name: unknown, password: unknown): User | null {
  return users.find((user) => user.name === name && user.password === password) ?? null;
}

/** Returns the principal of a user. The service needs to know only the organization. */
export function principalOf({ name, organization }: User): HostPrincipal {
  return { orgId: organization.id, subject: name };
}
