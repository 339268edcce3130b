// Renders reports as PDF in a thread, one at a time, because thousands of rows take seconds.

import { Worker } from 'node:worker_threads'
import { Fault } from '../../fault.ts'
import { CallerQueue, type Requester, reasonOf } from '../../pacing/caller-queue.ts'
import { threadFile } from '../../store/worker-thread.ts'

/** Megabytes that the thread may use for the document, its fonts, and one page. */
const memory = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16 }
const timeout = 120_000

export class PdfRenderer {
  readonly #queue = new CallerQueue({ noun: 'PDFs', atOnce: 1, overall: 6, each: 3 })

  /** Throws where too many wait. */
  requireRoom(asked: Requester): void {
    this.#queue.requireRoom(asked)
  }

  /** `read` reads the stored document, and is called only when it is due, so that waiting ones take no memory. */
  render(asked: Requester, read: () => Promise<string>): Promise<Buffer> {
    return this.#queue.run(asked, async (dropped) => rendered(await read(), dropped))
  }

  stop(): void {
    this.#queue.stop()
  }
}

function rendered(content: string, dropped: AbortSignal): Promise<Buffer> {
  if (dropped.aborted) throw reasonOf(dropped)
  const worker = new Worker(threadFile('./pdf-thread.ts', import.meta.url), {
    workerData: content,
    resourceLimits: memory,
  })
  return new Promise((resolve, reject) => {
    let fault: Fault | undefined
    const end = (reason: Fault) => {
      fault ??= reason
      void worker.terminate()
    }
    const leave = () => end(reasonOf(dropped))
    dropped.addEventListener('abort', leave)
    const timer = setTimeout(
      () => end(new Fault('unavailable', 'the PDF took too long: ask for another form')),
      timeout,
    )
    worker.on('message', (bytes: Uint8Array) => resolve(Buffer.from(bytes)))
    worker.on('error', (error) => reject(isOutOfMemory(error) ? tooLarge(error) : error))
    // The next one begins only now, because two threads would take twice the memory.
    worker.on('exit', () => {
      clearTimeout(timer)
      dropped.removeEventListener('abort', leave)
      reject(fault ?? new Error('the thread that makes a PDF ended without one'))
    })
  })
}

const isOutOfMemory = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
const tooLarge = (cause: unknown) =>
  new Fault('unavailable', 'the report is too large for a PDF: ask for another form', { cause })
