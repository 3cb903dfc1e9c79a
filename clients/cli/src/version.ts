/** Of this package, as its manifest says. */
export const VERSION = '0.1.0'
