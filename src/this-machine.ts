/** The names by which a machine reaches itself, IPv6 without the brackets of addresses. */
export const OWN_NAMES = ['localhost', '127.0.0.1', '::1'] as const

const OWN_NAME = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i

/** Whether a name or address, without a port, can only be this machine. */
export const isThisMachine = (host: string): boolean => OWN_NAME.test(host)
