import type { Permission } from './permission.ts'

/** What a person is in a project. The pages of the dashboard and the routes ask here what a role may do. */
export const ROLES = ['owner', 'developer', 'support'] as const

export type Role = (typeof ROLES)[number]

const ALL: readonly Permission[] = ['read', 'payments', 'refunds', 'configuration', 'webhooks']

/** The permissions of the interface that a role has, in both environments. Support reads, and never moves money. */
export const PERMISSIONS_OF_ROLE: Readonly<Record<Role, readonly Permission[]>> = {
  owner: ALL,
  developer: ALL,
  support: ['read'],
}

/** Adds, changes and removes the people of a project. */
export function managesPeople(role: Role): boolean {
  return role === 'owner'
}

/** Creates and revokes keys. A key outlives the role of its maker, so those of live payments are for owners. */
export function managesApiKeys(role: Role, { sandbox }: { sandbox: boolean }): boolean {
  return role === 'owner' || (role === 'developer' && sandbox)
}
