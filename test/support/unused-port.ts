/** Nobody listens there, and no system gives it out by itself; `fetch` takes it. */
export const UNUSED_PORT = 2
