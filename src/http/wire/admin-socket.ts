// The admin socket: a local socket that only the service's user can open. Commands use it whatever the operators,
// certificates and addresses of the service are.

import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Logger } from 'pino'
import { requireFolder } from '../../store/private-files.ts'

/** The longest path of a socket, in bytes, on the systems that allow least. */
const maxPathLength = 103

export class AdminSocket {
  readonly #server: Server
  readonly #folder: string
  readonly #log: Logger
  readonly #sockets = new WeakSet<Socket>()
  #made: string | undefined

  constructor(server: Server, folder: string, log: Logger) {
    this.#server = server
    this.#folder = folder
    this.#log = log
    // Before anyone else looks at the connection.
    server.prependListener('connection', (socket) => this.#sockets.add(socket))
  }

  has(socket: Socket): boolean {
    return this.#sockets.has(socket)
  }

  /** Returns its path; undefined where this system has no place for one. */
  async open(): Promise<string | undefined> {
    if (process.platform === 'win32') return this.#listen(`\\\\.\\pipe\\belfry-${process.pid}-${Date.now()}`)
    try {
      const inside = resolve(this.#folder, 'door')
      const path = join(inside, 'socket')
      if (Buffer.byteLength(path) <= maxPathLength) {
        // The folder's mode keeps others out: the mode of a socket is not enforced everywhere.
        requireFolder(inside)
        chmodSync(inside, 0o700)
        rmSync(path, { force: true })
        this.#made = inside
        return await this.#listen(path)
      }
    } catch (error) {
      this.#log.debug({ err: error }, 'no socket can be made in the data folder')
    }
    return this.#openElsewhere()
  }

  async #openElsewhere(): Promise<string | undefined> {
    try {
      const folder = mkdtempSync(join(tmpdir(), 'belfry-'))
      this.#made = folder
      return await this.#listen(join(folder, 'socket'))
    } catch (error) {
      this.#log.warn({ err: error }, 'there is no admin socket: commands must use the address of the service')
      return undefined
    }
  }

  async #listen(path: string): Promise<string> {
    this.#server.listen(path)
    await once(this.#server, 'listening')
    return path
  }

  async close(): Promise<void> {
    if (this.#server.listening) {
      const closed = once(this.#server, 'close')
      this.#server.close()
      this.#server.closeIdleConnections()
      await closed
    }
    if (this.#made !== undefined) rmSync(this.#made, { recursive: true, force: true })
  }

  /** Connections that did not end by themselves. */
  cut(): void {
    this.#server.closeAllConnections()
  }
}
