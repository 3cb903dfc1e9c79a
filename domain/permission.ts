/** The permissions of a secret key. They are set when it is created and never change. */
export const PERMISSIONS = ['read', 'payments', 'refunds', 'configuration', 'webhooks'] as const

export type Permission = (typeof PERMISSIONS)[number]
