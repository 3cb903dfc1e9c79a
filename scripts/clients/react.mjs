/**
 * What the libraries of the dashboard get as React: Preact. It has no `Activity`, which here only wraps parts that are kept
 * while they are hidden, and no such parts are asked for.
 */
export * from 'preact/compat'
export { default, Fragment as Activity } from 'preact/compat'
