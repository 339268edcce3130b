// Commands work through the service that holds the data folder; where none does, one is started for the command's time.

import { startApp } from '../app.ts'
import type { Config } from '../config.ts'
import { Fault } from '../fault.ts'
import { readNote } from '../store/folder.ts'

// For a service of our own: nothing outside may meet it.
const anyPort = { host: '127.0.0.1', port: 0 }

export async function withService<T>(config: Config, work: (url: string) => Promise<T>): Promise<T> {
  const running = await reach(config.data)
  if (running !== undefined) return work(running)
  const app = await startApp({ ...config, listen: anyPort, traps: anyPort })
  try {
    return await work(app.url)
  } finally {
    await app.stop()
  }
}

async function reach(folder: string): Promise<string | undefined> {
  const note = readNote(folder)
  if (!note) return undefined
  try {
    const answer = await fetch(`${note.url}/health`, { signal: AbortSignal.timeout(5000) })
    await answer.body?.cancel()
    return note.url
  } catch {
    // A note without a service: it was killed. The folder's lock tells for sure when the store is opened.
    return undefined
  }
}

/** The fault that an answer of the service tells. */
export async function faultOf(answer: Response): Promise<Fault> {
  const told = (await answer.json().catch(() => ({}))) as { message?: string }
  return new Fault('invalid', told.message ?? `the service answered ${answer.status}`)
}
