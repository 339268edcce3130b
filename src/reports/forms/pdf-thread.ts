// The thread behind src/reports/forms/pdf.ts: a report becomes a PDF, laid out page by page.

import { parentPort, workerData } from 'node:worker_threads'
import { lowerThreadPriority } from '../../pacing/thread-priority.ts'
import { layOut } from './pdf-layout.ts'

lowerThreadPriority()
const pieces: Uint8Array[] = []
for await (const piece of layOut(JSON.parse(workerData))) pieces.push(piece)
parentPort?.postMessage(Buffer.concat(pieces))
