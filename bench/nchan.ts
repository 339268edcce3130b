// nginx with nchan is a yardstick, not a dependency: it is used where it is installed (Debian: nginx-light and
// libnginx-mod-nchan).

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sharedNow } from './children.ts'

const program = ['/usr/sbin/nginx', '/usr/local/sbin/nginx'].find(existsSync)
const module = ['/usr/lib/nginx/modules', '/usr/lib64/nginx/modules', '/usr/local/lib/nginx/modules']
  .map((folder) => join(folder, 'ngx_nchan_module.so'))
  .find(existsSync)

/** One worker, as the service has one thread for its clients. */
const configuration = (folder: string, port: number) => `
daemon off;
worker_processes 1;
pid ${folder}/pid;
error_log ${folder}/error.log;
load_module ${module};
events { worker_connections 20000; }
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  keepalive_requests 1000000;
  tcp_nodelay on;
  nchan_shared_memory_size 256m;
  server {
    listen 127.0.0.1:${port} backlog=4096;
    location = /publish { nchan_publisher; nchan_channel_id alarms; nchan_message_buffer_length 2000; }
    location = /events {
      nchan_subscriber http-raw-stream;
      nchan_channel_id alarms;
      nchan_subscriber_first_message newest;
    }
  }
}
`

export class Nchan {
  readonly port: number
  readonly #process: ChildProcess
  readonly #publisher: Socket

  private constructor(port: number, child: ChildProcess, publisher: Socket) {
    this.port = port
    this.#process = child
    this.#publisher = publisher
    publisher.resume()
  }

  /** Undefined where it is not installed. */
  static async start(folder: string): Promise<Nchan | undefined> {
    if (!program || !module) return undefined
    mkdirSync(folder, { recursive: true })
    const port = await freePort()
    const file = join(folder, 'nginx.conf')
    writeFileSync(file, configuration(folder, port))
    const child = spawn(program, ['-p', folder, '-c', file], { stdio: ['ignore', 'ignore', 'inherit'] })
    for (let attempt = 0; attempt < 50; attempt += 1) {
      await sleep(100)
      const publisher = await connected(port)
      if (publisher) return new Nchan(port, child, publisher)
    }
    child.kill()
    throw new Error('nginx did not start')
  }

  /** All documents over one connection, without waiting for answers. */
  publish(documents: readonly string[]): number {
    const requests = documents.map(
      (document) =>
        `POST /publish HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/xml\r\nContent-Length: ${Buffer.byteLength(document)}\r\n\r\n${document}`,
    )
    const bytes = Buffer.from(requests.join(''))
    const at = sharedNow()
    this.#publisher.write(bytes)
    return at
  }

  async end(): Promise<void> {
    this.#publisher.destroy()
    const gone = once(this.#process, 'exit')
    this.#process.kill()
    await gone
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

async function connected(port: number): Promise<Socket | undefined> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  try {
    await once(socket, 'connect')
    return socket
  } catch {
    return undefined
  }
}
