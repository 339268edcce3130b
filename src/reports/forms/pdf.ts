// A report as PDF. To lay out thousands of rows takes seconds: it is done in a thread, a few at a time.

import { Worker } from 'node:worker_threads'
import { Fault } from '../../fault.ts'
import { Queue } from '../../store/database.ts'
import { threadFile } from '../../store/thread.ts'
import type { ReportDocument } from '../document.ts'

/** Megabytes that the thread may take: what is laid out is limited, and so are its fonts. */
const memory = 400
const patience = 120_000

export class PdfPress {
  readonly #turns = new Queue()

  print(document: ReportDocument): Promise<Buffer> {
    return this.#turns.run(() => printed(document))
  }
}

function printed(document: ReportDocument): Promise<Buffer> {
  const worker = new Worker(threadFile('pdf-thread', import.meta.url), {
    workerData: document,
    resourceLimits: { maxOldGenerationSizeMb: memory },
  })
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Fault('unavailable', 'the PDF took too long: ask for another form'))
      void worker.terminate()
    }, patience)
    worker.on('message', (bytes: Uint8Array) => resolve(Buffer.from(bytes)))
    worker.on('error', reject)
    worker.on('exit', () => {
      clearTimeout(timer)
      reject(new Error('the thread that makes a PDF ended without one'))
    })
  })
}
