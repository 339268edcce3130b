// Entry point of the thread that renders a report as PDF.

import { parentPort, workerData } from 'node:worker_threads'
import { lowerThreadPriority } from '../../pacing/thread-priority.ts'
import { layOut } from './pdf-layout.ts'

lowerThreadPriority()
const pieces: Uint8Array[] = []
for await (const piece of layOut(JSON.parse(workerData))) pieces.push(piece)
parentPort?.postMessage(Buffer.concat(pieces))
