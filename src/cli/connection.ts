// Commands work through the service that holds the data folder; where none does, one is started for the command's time.

import { startApp } from '../app.ts'
import type { Config } from '../config.ts'
import { Fault } from '../fault.ts'
import { isHeld, readNote } from '../store/folder.ts'

// For a service of our own: nothing outside may meet it.
const anyPort = { host: '127.0.0.1', port: 0 }

export async function withService<T>(config: Config, work: (url: string) => Promise<T>): Promise<T> {
  const running = await runningService(config.data)
  if (running !== undefined) return work(running)
  const app = await startApp({ ...config, listen: anyPort, traps: anyPort })
  try {
    return await work(app.url)
  } finally {
    await app.stop()
  }
}

/** Where the service answers that holds the folder; undefined when none does. */
export async function runningService(folder: string): Promise<string | undefined> {
  const note = readNote(folder)
  // The note of a service that was killed may name a port at which another one answers by now.
  if (!note || !isHeld(folder)) return undefined
  try {
    const answer = await fetch(`${note.url}/health`, { signal: AbortSignal.timeout(5000) })
    await answer.body?.cancel()
    return note.url
  } catch {
    // It is starting, stopping or stuck: opening the store says that the folder is in use.
    return undefined
  }
}

/** Sends a request to the service; an answer that tells a fault is thrown as one. */
export async function ask(url: string, init: RequestInit): Promise<ReadableStream<Uint8Array>> {
  const answer = await fetch(url, init).catch((cause) => {
    const reason = cause.cause?.message ?? cause.message
    throw new Fault('unavailable', `the service cannot be reached, or broke off: ${reason}`, { cause })
  })
  if (answer.ok) return answer.body ?? new Response('').body ?? new ReadableStream()
  const told = (await answer.json().catch(() => ({}))) as { message?: string }
  throw new Fault('invalid', told.message ?? `the service answered ${answer.status}`)
}
