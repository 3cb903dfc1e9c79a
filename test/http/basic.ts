/** The header `Authorization` for `project:secret`, as HTTP Basic has it. */
export const basic = (credentials: string): string => `Basic ${Buffer.from(credentials).toString('base64')}`
