// Connects commands to the service that uses the data folder, or starts one for the duration of the command. They use
// the admin socket, where no credentials are needed.

import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { App } from '../app.ts'
import type { Config } from '../config/config.ts'
import { Fault } from '../fault.ts'
import { request as httpRequest } from '../http/wire/node-http.ts'
import { KeyFile } from '../keys/key-file.ts'
import { auditLog } from '../resources/access/audit-log.ts'
import { defaultSpace } from '../schema/space.ts'
import { hasStoreFile, isLocked, ownAdminSocket, readNote } from '../store/data-folder.ts'
import { storeLocation } from '../store/store-location.ts'

// For a service that the command starts: nothing outside may reach it.
export const anyPort = { host: '127.0.0.1', port: 0 }

/** `work` gets the address of the service; `ask` sends requests to it. Only what `fills` a store may make one. */
export async function withService<T>(
  settings: Config,
  work: (url: string) => Promise<T>,
  { fills = false } = {},
): Promise<T> {
  const running = await runningService(settings.data)
  if (running !== undefined) return work(running)
  const config = withItsStore(settings)
  const makes = config.store === '' && !hasStoreFile(config.data)
  if (makes && !fills) throw noStore(config.data)
  // Loaded only here: most of the time a service is there, and a command that asks it is quick.
  const { startApp } = await import('../app.ts')
  const restoreFolder = makes ? removeNewFolderOnFailure(config) : undefined
  const app = await startApp(
    { ...config, listen: anyPort, traps: [{ ...anyPort, space: defaultSpace }] },
    { tells: false },
  )
  try {
    return await work(addressOf(app))
  } finally {
    const isUnused = makes && !(await hasChanges(addressOf(app)))
    await app.stop()
    if (isUnused) restoreFolder?.()
    else if (makes) console.error(`belfry: there was no store in ${config.data}: made a new one`)
  }
}

/** Whether anything was changed by anybody: every change is in the audit log. */
async function hasChanges(url: string): Promise<boolean> {
  const answer = await reach(`${url}${auditLog.list.path}?size=1`, { method: 'HEAD' })
  return answer.headers.get('Total') !== '0'
}

/** Where the store of the folder is in PostgreSQL and no setting says so: that one. */
export function withItsStore(config: Config): Config {
  if (config.store !== '' || !existsSync(config.data)) return config
  const elsewhere = storeLocation(config.data)
  if (!elsewhere) return config
  console.error(`belfry: the store of ${config.data} is ${elsewhere.store}`)
  return {
    ...config,
    store: elsewhere.store,
    'store-password-file': config['store-password-file'] || elsewhere['store-password-file'],
    'key-file': config['key-file'] || elsewhere['key-file'],
  }
}

export const noStore = (folder: string) =>
  new Fault('invalid', `there is no store in ${folder}: name the data folder of the service with --data`)

/** Addresses of the admin socket begin with this word; its path follows, percent-encoded in the place of a host. */
const adminSocketScheme = 'http+unix://'

/** Where commands reach a service: by its admin socket, or, where it has none, by its ordinary address. */
export const addressOf = ({ adminSocket, url }: Pick<App, 'adminSocket' | 'url'>) =>
  adminSocket === undefined ? url : adminSocketScheme + encodeURIComponent(adminSocket)

/** The address of the service that uses the folder; undefined if none does. */
export async function runningService(folder: string): Promise<string | undefined> {
  const note = readNote(folder)
  if (note === undefined) return undefined
  if (note === 'unreadable') {
    if (!isLocked(folder)) return undefined
    const message = `a service holds the data folder ${folder}, but service.json there says nothing of it: restart it`
    throw new Fault('unavailable', message)
  }
  const address = addressOf({ adminSocket: note.door, url: note.url })
  // A socket in the folder belongs to this service, also when the lock was removed.
  const isOwnDoor = ownAdminSocket(folder, note) !== undefined
  // The note of a service that was killed may name a port that another one has by now.
  if (!isOwnDoor && !isLocked(folder)) return undefined
  const reason = await whyNoAnswer(address)
  if (reason === undefined) return address
  if (!isLocked(folder)) return undefined
  const message = `process ${note.pid} holds the data folder ${folder} and does not answer: it is starting, stopping or stuck (${reason})`
  throw new Fault('unavailable', message)
}

/** Undefined where a service answers, in whatever way. */
async function whyNoAnswer(address: string): Promise<string | undefined> {
  try {
    const answer = await reach(`${address}/health`, { signal: AbortSignal.timeout(5000) })
    await answer.body?.cancel()
    return undefined
  } catch (error) {
    return ((error as Error).cause as Error | undefined)?.message ?? (error as Error).message
  }
}

/** Like fetch, which cannot use a local socket. */
export async function reach(address: string, init: RequestInit = {}): Promise<Response> {
  if (!address.startsWith(adminSocketScheme)) return fetch(address, init)
  const [host = ''] = address.slice(adminSocketScheme.length).split(/[/?]/, 1)
  const path = address.slice(adminSocketScheme.length + host.length)
  return reachAdminSocket(decodeURIComponent(host), path === '' ? '/' : path, init)
}

function reachAdminSocket(socketPath: string, path: string, init: RequestInit): Promise<Response> {
  const { method = 'GET', body, signal } = init
  const headers = Object.fromEntries(new Headers(init.headers))
  return new Promise((resolve, reject) => {
    const options = { socketPath, path, method, headers, agent: false, ...(signal && { signal }) }
    const request = httpRequest({ ...options, setHost: true, host: 'localhost' }, (answer) => {
      const { statusCode = 0, rawHeaders } = answer
      const received = new Headers()
      for (let index = 0; index < rawHeaders.length; index += 2) {
        received.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '')
      }
      const empty = statusCode === 204 || statusCode === 304
      if (empty) answer.resume()
      const content = empty ? null : (Readable.toWeb(answer) as ReadableStream<Uint8Array>)
      resolve(new Response(content, { status: statusCode, headers: received }))
    })
    request.on('error', reject)
    if (body instanceof ReadableStream) {
      // An answer may come before everything was sent, and end the sending: the answer gives the reason.
      pipeline(Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]), request).catch(
        () => undefined,
      )
    } else request.end(body ?? undefined)
  })
}

/** Sends a request to the service; an answer that reports a fault is thrown as a Fault. */
export async function ask(url: string, init: RequestInit): Promise<ReadableStream<Uint8Array>> {
  const answer = await reach(url, init).catch((cause) => {
    const reason = cause.cause?.message ?? cause.message
    throw new Fault('unavailable', `the service cannot be reached, or broke off: ${reason}`, { cause })
  })
  if (answer.ok) return answer.body ?? new Response('').body ?? new ReadableStream()
  const fault = (await answer.json().catch(() => ({}))) as { message?: string; field?: string }
  const { message = `the service answered ${answer.status}`, field } = fault
  const where = field === undefined || message.includes(field) ? '' : `${field}: `
  throw new Fault(answer.status < 500 ? 'invalid' : 'unavailable', `${where}${message}`)
}

/** The same for small documents in JSON. */
export async function askJson<T>(url: string, method = 'GET', body?: unknown): Promise<T> {
  const answer = await ask(url, {
    method,
    headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await new Response(answer).text()
  return (text === '' ? {} : JSON.parse(text)) as T
}

// Creates a data folder for a command, and removes it again if the command fails.

/** Called before anything is created; returns a function that removes it again, once nobody uses the folder. */
export function removeNewFolderOnFailure(config: Config): () => void {
  const folder = resolve(config.data)
  const before = existsSync(folder) ? readdirSync(folder) : []
  const missing = missingFolders(folder)
  const { path: key } = new KeyFile(config)
  const isKeyNew = !existsSync(key)
  return () => {
    if (isKeyNew) rmSync(key, { force: true })
    for (const name of existsSync(folder) ? readdirSync(folder) : [])
      if (!before.includes(name)) rmSync(join(folder, name), { recursive: true, force: true })
    try {
      for (const one of missing) rmdirSync(one)
    } catch {
      // Somebody has put something there meanwhile, or it was not made.
    }
  }
}

/** The folder and those above it that are not there, the innermost first. */
function missingFolders(folder: string): string[] {
  return existsSync(folder) ? [] : [folder, ...missingFolders(dirname(folder))]
}
