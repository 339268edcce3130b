// The load generator, a process of its own: keep-alive connections, one request under way on each. It does as little
// as it can per answer, so that on two cores the server is what is measured.

import { connect } from 'node:net'
import { answer } from './children.ts'

export interface Volley {
  readonly port: number
  /** `{n}` stands for a number that differs from request to request. */
  readonly path: string
  readonly accept: string
  readonly connections: number
  readonly milliseconds: number
}

export interface Fired {
  readonly answers: number
  readonly seconds: number
}

const headEnd = Buffer.from('\r\n\r\n')

// More than a server may be expected to remember the answers of.
const different = 10_000

function requestsOf({ port, path, accept }: Volley): Buffer[] {
  const paths = path.includes('{n}')
    ? Array.from({ length: different }, (_, n) => path.replace('{n}', String(n)))
    : [path]
  const head = `HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAccept: ${accept}\r\n\r\n`
  return paths.map((one) => Buffer.from(`GET ${one} ${head}`))
}

let sent = 0

function fire(volley: Volley): Promise<Fired> {
  const { port, connections, milliseconds } = volley
  const requests = requestsOf(volley)
  const next = () => requests[sent++ % requests.length] ?? ''
  return new Promise((resolve, reject) => {
    let answers = 0
    let open = connections
    const began = performance.now()
    const end = began + milliseconds
    for (let index = 0; index < connections; index += 1) {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true })
      let left = 0
      let held: Buffer | undefined
      socket.on('error', reject)
      socket.on('connect', () => socket.write(next()))
      socket.on('data', (piece: Buffer) => {
        if (left > 0) left -= piece.length
        else {
          const data: Buffer = held ? Buffer.concat([held, piece]) : piece
          const cut = data.indexOf(headEnd)
          held = cut < 0 ? data : undefined
          if (held) return
          left = cut + headEnd.length + bodyLength(data.toString('latin1', 0, cut)) - data.length
        }
        if (left > 0) return
        answers += 1
        if (performance.now() < end) {
          socket.write(next())
          return
        }
        socket.destroy()
        open -= 1
        if (open === 0) resolve({ answers, seconds: (performance.now() - began) / 1000 })
      })
    }
  })
}

function bodyLength(head: string): number {
  if (!head.startsWith('HTTP/1.1 200 ')) throw new Error(`expected 200, got ${head.split('\r\n', 1)[0]}`)
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  if (length === undefined) throw new Error('expected an answer with Content-Length')
  return Number(length)
}

answer({ fire })
