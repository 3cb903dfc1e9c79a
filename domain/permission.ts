/** What a secret key may be used for; given when it is made, and never changed. */
export const PERMISSIONS = ['read', 'payments', 'refunds', 'configuration', 'webhooks'] as const

export type Permission = (typeof PERMISSIONS)[number]
