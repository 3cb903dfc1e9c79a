import { listen as listenOn } from '../../stand-ins/engine/listen.ts'

/** A server of a test on a free port of this machine; one whose handler fails hangs up. */
export const listen = (handle: Parameters<typeof listenOn>[1]) => listenOn(0, handle)
